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

__all__ = [
    "MethodComparison",
    "PairedComparison",
    "compare_methods",
    "holm",
    "kendall_tau",
    "paired_wilcoxon",
    "summarize_repeats",
]
