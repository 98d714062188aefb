"""scikit-learn's own checks of every classifier of this part."""

from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from widemargin.ranking import PartialAUCBoostingClassifier

# The checks have a dozen negatives at times: smaller ranges hold none of them, which is an error.
CLASSIFIERS = [
    PartialAUCBoostingClassifier((0.0, 1.0), n_estimators=20),
    PartialAUCBoostingClassifier((0.0, 1.0), n_estimators=20, leaves="confidence", max_depth=4),
    PartialAUCBoostingClassifier((0.0, 1.0), n_estimators=20, feature_fraction=0.5, bound="structural"),
    PartialAUCBoostingClassifier((0.0, 1.0), n_estimators=5, estimator="linear"),
    PartialAUCBoostingClassifier((0.0, 1.0), n_estimators=5, estimator=DecisionTreeClassifier(max_depth=1)),
]


@parametrize_with_checks(CLASSIFIERS)
def test_checks(estimator, check):
    check(estimator)
