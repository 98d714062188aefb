"""The plain SVM of the experiments: shared inner products for wide data change nothing but the time."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.svm import SVC

from widemargin.experiments import model_selection
from widemargin.experiments.model_selection import ModelSelection


@pytest.mark.parametrize("n_classes", [2, 3])
def test_wide_data_share_their_inner_products_whatever_the_number_of_classes(monkeypatch, n_classes):
    kernels = []

    class RecordingSVC(SVC):
        def fit(self, X, y):
            kernels.append(self.kernel)
            return super().fit(X, y)

    monkeypatch.setattr(model_selection, "SVC", RecordingSVC)
    X, y = make_classification(
        60, 500, n_informative=8, n_redundant=0, n_classes=n_classes, n_clusters_per_class=1, random_state=0
    )
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    selection = ModelSelection((0.1, 1.0, 10.0), (1.0,), n_folds=3, seed=0)
    svm, C = selection.svm(X, y)
    # Inner products are shared among folds and values of C; the last fit is on the features themselves.
    n_binary = 1 if n_classes == 2 else n_classes
    assert kernels == ["precomputed"] * 9 * n_binary + ["linear"] * n_binary

    monkeypatch.setattr(model_selection, "_WIDE", 501)
    kernels.clear()
    same, same_C = selection.svm(X, y)
    assert set(kernels) == {"linear"}
    assert same_C == C
    np.testing.assert_array_equal(svm.predict(X), same.predict(X))
