"""Classifiers for a range of false positive rates, and the boosted ensembles that they are compared with."""

from widemargin.ranking.ada_boost import AdaBoostTreesClassifier
from widemargin.ranking.asym_boost import AsymBoostClassifier
from widemargin.ranking.cost_sensitive_boost import CostSensitiveBoostClassifier
from widemargin.ranking.komori_eguchi_boost import KomoriEguchiBoostClassifier
from widemargin.ranking.partial_auc_boosting import PartialAUCBoostingClassifier
from widemargin.ranking.partial_auc_svc import PartialAUCSVC

__all__ = [
    "AdaBoostTreesClassifier",
    "AsymBoostClassifier",
    "CostSensitiveBoostClassifier",
    "KomoriEguchiBoostClassifier",
    "PartialAUCBoostingClassifier",
    "PartialAUCSVC",
]
