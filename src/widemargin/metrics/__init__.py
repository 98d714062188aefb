"""Plain arrays in, numbers out: comparison tests and rank agreement."""

from widemargin.metrics.comparison import (
    MethodComparison,
    PairedComparison,
    compare_methods,
    holm,
    kendall_tau,
    paired_wilcoxon,
    summarize_repeats,
)
from widemargin.metrics.resampling import ResampledInterval, resampled_interval

__all__ = [
    "MethodComparison",
    "PairedComparison",
    "ResampledInterval",
    "compare_methods",
    "holm",
    "kendall_tau",
    "paired_wilcoxon",
    "resampled_interval",
    "summarize_repeats",
]
