"""Average and maximum pooling: hand-worked videos, both forms of X, float32, and scikit-learn's own checks."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from widemargin.events import AveragePooling, MaxPooling

BOTH = pytest.mark.parametrize("pooling", [AveragePooling, MaxPooling])


@parametrize_with_checks([AveragePooling(), MaxPooling(), AveragePooling(n_shots=1), MaxPooling(n_shots=1)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [(AveragePooling, [[2.0, -3.0], [0.5, 0.5]]), (MaxPooling, [[3.0, -1.0], [1.0, 1.0]])],
)
def test_hand_worked_videos_in_both_forms(pooling, expected):
    X = np.array([[[1, -5], [3, -1]], [[0, 1], [1, 0]]])
    assert pooling().fit_transform(X).tolist() == expected
    assert pooling(n_shots=2).fit_transform(X.reshape(2, 4)).tolist() == expected
    fitted = pooling().fit(X)
    assert fitted.transform(X.reshape(2, 4)).tolist() == expected
    assert (fitted.n_shots_, fitted.n_features_in_) == (2, 4)


@BOTH
def test_without_n_shots_columns_are_pooled_into_one_number(pooling):
    X = np.array([[1.0, 2.0, 6.0]])
    assert pooling().fit_transform(X).tolist() == [[3.0 if pooling is AveragePooling else 6.0]]


@BOTH
def test_the_order_of_shots_does_not_matter(pooling):
    X = np.random.default_rng(0).integers(-9, 9, size=(5, 8, 3)).astype(float)
    np.testing.assert_array_equal(pooling().fit_transform(X), pooling().fit_transform(X[:, ::-1]))


def test_means_of_float32_are_rounded_once():
    generator = np.random.default_rng(1)
    X = (generator.normal(size=(3, 5000, 2)) + 1000).astype(np.float32)
    pooled = AveragePooling().fit_transform(X)
    assert pooled.dtype == np.float32
    np.testing.assert_array_equal(pooled, X.astype(np.float64).mean(axis=1).astype(np.float32))


@BOTH
def test_names_of_features_and_tables(pooling):
    table = pd.DataFrame(np.arange(8.0).reshape(2, 4), columns=list("abcd"), index=["first", "second"])
    transformer = pooling(n_shots=2).set_output(transform="pandas").fit(table)
    name = pooling.__name__.lower()
    assert transformer.get_feature_names_out().tolist() == [f"{name}0", f"{name}1"]
    pooled = transformer.transform(table)
    assert pooled.columns.tolist() == [f"{name}0", f"{name}1"]
    assert pooled.index.tolist() == ["first", "second"]


@BOTH
def test_a_linear_svm_on_pooled_shots_is_cross_validated_on_three_dimensions(pooling):
    X = np.random.default_rng(2).normal(size=(40, 6, 3))
    y = np.repeat([0, 1], 20)
    # Six shots far from zero: mean and maximum both tell the classes apart without an error.
    X[y == 1] += 10
    assert cross_val_score(make_pipeline(pooling(), LinearSVC()), X, y).tolist() == [1.0] * 5


@BOTH
def test_unfitted_and_contradictory(pooling):
    with pytest.raises(NotFittedError):
        pooling().transform(np.ones((2, 3)))
    with pytest.raises(ValueError, match="does not divide"):
        pooling(n_shots=2).fit(np.ones((2, 3)))


@pytest.mark.parametrize("n_first", [1, 3, 4, 9])
def test_the_mean_of_the_first_shots_is_that_of_videos_cut_short(n_first):
    X = np.random.default_rng(0).random((5, 4, 3))
    pooling = AveragePooling(n_first=n_first)
    np.testing.assert_array_equal(pooling.fit_transform(X), AveragePooling().fit_transform(X[:, :n_first]))
    flat = AveragePooling(4, n_first=n_first).fit_transform(X.reshape(5, 12))
    np.testing.assert_array_equal(flat, pooling.transform(X))


@pytest.mark.parametrize(("n_first", "error"), [(0, ValueError), (-1, ValueError), (1.5, TypeError)])
def test_the_number_of_first_shots_is_a_positive_integer(n_first, error):
    with pytest.raises(error, match="n_first"):
        AveragePooling(n_first=n_first).fit(np.zeros((2, 3, 4)))


def test_the_number_of_first_shots_is_chosen_by_a_search():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 6, 4)), np.arange(80) % 2
    X[y == 1, :2] += 1.5
    search = GridSearchCV(
        make_pipeline(AveragePooling(), LinearSVC(random_state=0)),
        {"averagepooling__n_first": [1, 2, 6]},
        scoring="roc_auc",
    ).fit(X, y)
    assert search.best_params_ == {"averagepooling__n_first": 2}
