"""Display classes: they take numbers, draw them, and never fit."""

from widemargin.plots.accuracy_difference import AccuracyDifferenceDisplay
from widemargin.plots.decision_boundary import RangeBoundaryDisplay
from widemargin.plots.gain_scatter import GainScatterDisplay
from widemargin.plots.partial_auc import PartialAUCDisplay
from widemargin.plots.tau_matrix import TauMatrixDisplay

__all__ = [
    "AccuracyDifferenceDisplay",
    "GainScatterDisplay",
    "PartialAUCDisplay",
    "RangeBoundaryDisplay",
    "TauMatrixDisplay",
]
