"""scikit-learn's own checks of every estimator, with metadata routing off and on."""

import pytest
from sklearn import config_context
from sklearn.utils.estimator_checks import parametrize_with_checks

from widemargin.privileged import MarginTransferSVC, MarginTransferSVCCV, RankTransferSVC, SVMPlus, SVMPlusCV

# The checks know no privileged features, and pass matrices that are no kernels for precomputed ones.
pytestmark = [
    pytest.mark.filterwarnings("ignore:X_privileged was not given:UserWarning"),
    pytest.mark.filterwarnings("ignore:kernel is not positive semi-definite:UserWarning"),
]

DEFAULTS = [SVMPlus(), MarginTransferSVC(), RankTransferSVC()]
# Not gamma="scale": repeating rows changes the variance of X, and with it what is compared with sample weights.
OTHERS = [
    SVMPlus(loss="squared_hinge"),
    SVMPlus(kernel="rbf", gamma=0.1),
    SVMPlus(kernel="chi2", gamma=0.1),
    SVMPlus(kernel="precomputed"),
    MarginTransferSVC(fit_intercept=False),
    MarginTransferSVC(kernel="rbf", gamma=0.1),
    # One point of the grid: the checks fit hundreds of times.
    SVMPlusCV(Cs=[1.0], privileged_alphas=[1.0]),
    MarginTransferSVCCV(Cs=[1.0], privileged_Cs=[1.0]),
]


def expected_failed_checks(estimator):
    if estimator.kernel == "chi2":
        return {"check_class_weight_classifiers": "the check passes negative features, whatever the tags say"}
    if isinstance(estimator, MarginTransferSVC) and not estimator.fit_intercept:
        reason = (
            "class weights have little to act on without an intercept, as with LinearSVC(fit_intercept=False)"
        )
        return {"check_class_weight_classifiers": reason}
    return {}


@parametrize_with_checks(DEFAULTS + OTHERS, expected_failed_checks=expected_failed_checks)
def test_checks(estimator, check):
    check(estimator)


@parametrize_with_checks(DEFAULTS)
def test_checks_with_metadata_routing(estimator, check):
    with config_context(enable_metadata_routing=True):
        check(estimator)
