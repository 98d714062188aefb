"""Classifiers that learn from information that exists only for the training samples."""

from widemargin.privileged._base import CollapseWarning
from widemargin.privileged.agreement import (
    EasinessAgreement,
    EasinessAgreementMatrix,
    easiness_agreement,
    easiness_agreement_matrix,
)
from widemargin.privileged.easiness import EasinessScores, aggregate_easiness, easiness_to_margins
from widemargin.privileged.margin_transfer import MarginTransferSVC
from widemargin.privileged.margin_transfer_cv import MarginTransferSVCCV
from widemargin.privileged.rank_transfer import RankTransferSVC
from widemargin.privileged.svm_plus import SVMPlus
from widemargin.privileged.svm_plus_cv import SVMPlusCV

__all__ = [
    "CollapseWarning",
    "EasinessAgreement",
    "EasinessAgreementMatrix",
    "EasinessScores",
    "MarginTransferSVC",
    "MarginTransferSVCCV",
    "RankTransferSVC",
    "SVMPlus",
    "SVMPlusCV",
    "aggregate_easiness",
    "easiness_agreement",
    "easiness_agreement_matrix",
    "easiness_to_margins",
]
