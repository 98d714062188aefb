"""Classifiers for a range of false positive rates, and the boosted ensembles that they are compared with."""

from widemargin.ranking.partial_auc_boosting import PartialAUCBoostingClassifier
from widemargin.ranking.partial_auc_svc import PartialAUCSVC

__all__ = ["PartialAUCBoostingClassifier", "PartialAUCSVC"]
