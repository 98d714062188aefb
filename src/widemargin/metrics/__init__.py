"""Plain arrays in, numbers out: areas under ROC curves, comparison tests and rank agreement."""

from widemargin.metrics.comparison import (
    MethodComparison,
    PairedComparison,
    compare_methods,
    holm,
    kendall_tau,
    paired_wilcoxon,
    summarize_repeats,
)
from widemargin.metrics.partial_auc import partial_auc_score, partial_auc_scorer
from widemargin.metrics.resampling import ResampledInterval, resampled_interval
from widemargin.metrics.thresholds import false_positive_threshold

__all__ = [
    "MethodComparison",
    "PairedComparison",
    "ResampledInterval",
    "compare_methods",
    "false_positive_threshold",
    "holm",
    "kendall_tau",
    "paired_wilcoxon",
    "partial_auc_score",
    "partial_auc_scorer",
    "resampled_interval",
    "summarize_repeats",
]
