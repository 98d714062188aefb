"""What is raised about files of models, and about tables that do not go with a model."""

from __future__ import annotations

__all__ = ["ColumnsError", "ModelFileError"]


class ColumnsError(ValueError):
    """A table does not have the columns that a model was trained on; the message lists what is missing.

    Examples
    --------
    See :class:`SavedModel`.
    """


class ModelFileError(ValueError):
    """A file of a model is missing, damaged, not ours or not to be trusted, or a model cannot be saved.

    Examples
    --------
    >>> from widemargin.persistence import ModelFileError, load_model
    >>> try:
    ...     load_model("missing.skops")
    ... except ModelFileError as error:
    ...     print(error)
    missing.skops does not exist: check the name and the folder.
    """
