"""From pictures to arrays."""

from widemargin.features.centrist import Centrist
from widemargin.features.pictures import PictureError, read_picture

__all__ = ["Centrist", "PictureError", "read_picture"]
