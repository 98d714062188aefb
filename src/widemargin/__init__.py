"""Large-margin learning for vision when there is more to use than a plain SVM can use."""

from importlib.metadata import version

__version__ = version("widemargin")
__all__ = ["__version__"]
