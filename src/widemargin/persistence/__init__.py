"""Trained models on disk, written and read without pickle."""

from widemargin.persistence.errors import ModelFileError
from widemargin.persistence.models import SavedModel, load_model, save_model

__all__ = ["ModelFileError", "SavedModel", "load_model", "save_model"]
