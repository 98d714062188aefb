"""Plain arrays in, numbers out: areas under ROC curves, comparison tests rank agreement, and people's judgements."""

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
from widemargin.metrics.recounting_judgement import RecountingJudgement, judge_recounting
from widemargin.metrics.resampling import ResampledInterval, resampled_interval
from widemargin.metrics.thresholds import false_positive_threshold

__all__ = [
    "MethodComparison",
    "PairedComparison",
    "RecountingJudgement",
    "ResampledInterval",
    "compare_methods",
    "false_positive_threshold",
    "holm",
    "judge_recounting",
    "kendall_tau",
    "paired_wilcoxon",
    "partial_auc_score",
    "partial_auc_scorer",
    "resampled_interval",
    "summarize_repeats",
]
