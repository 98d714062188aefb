"""Trained models on disk, written and read without pickle."""

from widemargin.persistence.errors import ColumnsError, ModelFileError
from widemargin.persistence.models import load_model, save_model
from widemargin.persistence.saved_model import SavedModel

__all__ = ["ColumnsError", "ModelFileError", "SavedModel", "load_model", "save_model"]
