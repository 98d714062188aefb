"""Data embedded in dependencies, readers of benchmark formats, generators of the papers' toy problems."""

from widemargin.datasets.digits import PrivilegedDigits, load_privileged_digits
from widemargin.datasets.identity import array_identity
from widemargin.datasets.toy import make_privileged_classification

__all__ = ["PrivilegedDigits", "array_identity", "load_privileged_digits", "make_privileged_classification"]
