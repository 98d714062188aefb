"""Classifiers that learn from information that exists only for the training samples."""

from widemargin.privileged.margin_transfer import MarginTransferSVC
from widemargin.privileged.rank_transfer import RankTransferSVC
from widemargin.privileged.svm_plus import SVMPlus

__all__ = ["MarginTransferSVC", "RankTransferSVC", "SVMPlus"]
