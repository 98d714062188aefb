"""Trained models on disk, written and read without pickle."""

from widemargin.persistence.errors import ColumnsError, ModelFileError
from widemargin.persistence.event_models import load_event_model, save_event_model
from widemargin.persistence.models import load_model, save_model
from widemargin.persistence.saved_model import SavedModel

__all__ = [
    "ColumnsError",
    "ModelFileError",
    "SavedModel",
    "load_event_model",
    "load_model",
    "save_event_model",
    "save_model",
]
