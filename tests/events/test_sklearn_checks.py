"""scikit-learn's own checks of the classifiers of ordered shots, with metadata routing off and on."""

import pytest
from sklearn import config_context
from sklearn.utils.estimator_checks import parametrize_with_checks

from widemargin.events import NearlyIsotonicSVC, NearlyIsotonicSVCCV

OTHERS = [
    NearlyIsotonicSVC(solver="primal", norm=1, order="increments"),
    NearlyIsotonicSVC(norm=1, penalty="l1", alpha=1e-2),
    NearlyIsotonicSVC(loss="logistic", order="total_variation", norm=1, fit_intercept=False),
    NearlyIsotonicSVC(loss="hinge", nonnegative=True),
    NearlyIsotonicSVC(loss="squared", init="random", random_state=0),
    # One point of the grid: the checks fit hundreds of times.
    NearlyIsotonicSVCCV([1e-3], [1e-2], cv=2),
]


def expected_failed_checks(estimator):
    if not getattr(estimator, "fit_intercept", True):
        reason = (
            "class weights have little to act on without an intercept, as with LinearSVC(fit_intercept=False)"
        )
        return {"check_class_weight_classifiers": reason}
    if estimator.nonnegative:
        reason = "non-negative weights do not separate the blobs of the check"
        return dict.fromkeys(
            (
                "check_classifiers_train",
                "check_classifiers_train(readonly_memmap=True)",
                "check_classifiers_train(readonly_memmap=True,X_dtype=float32)",
            ),
            reason,
        )
    return {}


@parametrize_with_checks([NearlyIsotonicSVC(), *OTHERS], expected_failed_checks=expected_failed_checks)
def test_checks(estimator, check):
    check(estimator)


@parametrize_with_checks([NearlyIsotonicSVC()])
def test_checks_with_metadata_routing(estimator, check):
    with config_context(enable_metadata_routing=True):
        check(estimator)


@pytest.mark.parametrize("estimator", [NearlyIsotonicSVC(), NearlyIsotonicSVCCV()])
def test_tags_of_a_classifier(estimator):
    tags = estimator.__sklearn_tags__()
    assert tags.estimator_type == "classifier"
    assert not tags.input_tags.sparse
