"""Bad input to the estimators: each case a clear error with parameter, value and remedy; good input is left alone."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import FunctionTransformer

from widemargin.privileged import MarginTransferSVC, RankTransferSVC, SVMPlus

N = 24
ALL = pytest.mark.parametrize("Estimator", [SVMPlus, MarginTransferSVC, RankTransferSVC])
TWO_STAGES = pytest.mark.parametrize("Estimator", [MarginTransferSVC, RankTransferSVC])
NOT_POSITIVE = pytest.mark.parametrize("value", [0, 0.0, -1, -1e-300, np.nan, np.inf, -np.inf])
NO_NUMBER = pytest.mark.parametrize("value", ["1", True, None, 1j, [1.0]])


@pytest.fixture
def data():
    # The second privileged feature is by how much noise moved a sample to the wrong side: linear SVM+ can use it.
    rng = np.random.default_rng(0)
    clean = rng.normal(size=(N, 2))
    noise = 0.7 * rng.normal(size=(N, 2))
    y = (clean[:, 0] > 0).astype(int)
    Z = np.column_stack([clean[:, 0], np.maximum(0, -noise[:, 0] * np.sign(clean[:, 0]))])
    X = clean + noise
    return X, y, Z


@pytest.fixture
def three():
    return np.arange(N) % 3


def put(array, index, value):
    array = np.array(array, dtype=float)
    array[index] = value
    return array


class TestRowCounts:
    @ALL
    def test_labels(self, Estimator, data):
        X, y, Z = data
        with pytest.raises(ValueError, match=r"y has 23 labels, X has 24 rows: pass one label per"):
            Estimator().fit(X, y[:-1], X_privileged=Z)

    @ALL
    @pytest.mark.parametrize("container", [np.asarray, np.ndarray.tolist, pd.DataFrame, sparse.csr_array])
    def test_privileged_features(self, Estimator, data, container):
        X, y, Z = data
        with pytest.raises(ValueError, match=r"X_privileged has 23 rows, X has 24: pass one row"):
            Estimator().fit(X, y, X_privileged=container(Z[:-1]))

    @ALL
    def test_weights(self, Estimator, data):
        X, y, Z = data
        with pytest.raises(
            ValueError, match=r"sample_weight\.shape == \(23,\), expected \(24,\): pass one weight"
        ):
            Estimator().fit(X, y, X_privileged=Z, sample_weight=np.ones(N - 1))


class TestShapes:
    @ALL
    @pytest.mark.parametrize("value", [np.ones(N), np.ones((N, 0)), np.ones((N, 2, 2)), 3.0])
    def test_privileged_features_are_a_matrix(self, Estimator, data, value):
        X, y, _ = data
        with pytest.raises(
            ValueError, match=r"X_privileged has shape .*, expected \(24, n_features\) with at least"
        ):
            Estimator().fit(X, y, X_privileged=value)

    @ALL
    def test_privileged_features_are_numbers(self, Estimator, data):
        X, y, _ = data
        with pytest.raises(ValueError, match=r"X_privileged must be an array of real numbers, got DataFrame"):
            Estimator().fit(X, y, X_privileged=pd.DataFrame({"colour": ["red"] * N}))


class TestNotFinite:
    @ALL
    @pytest.mark.parametrize(
        ("value", "name"), [(np.nan, "NaN"), (np.inf, "infinity"), (-np.inf, "infinity")]
    )
    @pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
    def test_features(self, Estimator, data, value, name, container):
        X, y, Z = data
        with pytest.raises(
            ValueError, match=rf"X contains {name} \(1 of 48 values\): impute, replace or remove"
        ):
            Estimator().fit(container(put(X, (1, 1), value)), y, X_privileged=Z)

    @ALL
    def test_nan_in_part_of_a_privileged_row(self, Estimator, data):
        X, y, Z = data
        with pytest.raises(
            ValueError, match=r"X_privileged has NaN in part of row 3 .*: impute the values, or set"
        ):
            Estimator().fit(X, y, X_privileged=put(Z, (3, 1), np.nan))

    @ALL
    @pytest.mark.parametrize("index", [(1, 1), 1])
    def test_infinity_in_privileged_features(self, Estimator, data, index):
        X, y, Z = data
        with pytest.raises(ValueError, match=r"X_privileged contains infinity"):
            Estimator().fit(X, y, X_privileged=put(Z, index, np.inf))

    @ALL
    def test_nan_in_sparse_privileged_features(self, Estimator, data):
        X, y, Z = data
        with pytest.raises(ValueError, match=r"X_privileged contains NaN \(2 of \d+ values\)"):
            Estimator().fit(X, y, X_privileged=sparse.csr_array(put(Z, 1, np.nan)))

    @ALL
    def test_whole_rows_may_be_missing(self, Estimator, data):
        X, y, Z = data
        model = Estimator().fit(X, y, X_privileged=put(Z, [1, 5], np.nan))
        assert np.isfinite(model.decision_function(X)).all()

    @ALL
    def test_nothing_but_missing_rows_is_no_privileged_information(self, Estimator, data):
        X, y, Z = data
        with pytest.warns(UserWarning, match="X_privileged was not given or has no row with values"):
            model = Estimator().fit(X, y, X_privileged=np.full_like(Z, np.nan))
        with pytest.warns(UserWarning, match="X_privileged was not given"):
            plain = Estimator().fit(X, y)
        np.testing.assert_array_equal(model.coef_, plain.coef_)

    @ALL
    @pytest.mark.parametrize(("value", "name"), [(np.nan, "NaN"), (np.inf, "infinity")])
    def test_at_prediction(self, Estimator, data, value, name):
        X, y, Z = data
        model = Estimator().fit(X, y, X_privileged=Z)
        with pytest.raises(ValueError, match=f"Input X contains {name}"):
            model.predict(put(X, (1, 1), value))

    @ALL
    def test_values_whose_products_overflow(self, Estimator, data):
        X, y, Z = data
        with pytest.raises(
            ValueError, match=r"X has values of up to .*e\+200, whose products overflow: scale"
        ):
            Estimator().fit(1e200 * X, y, X_privileged=Z)
        with pytest.raises(
            ValueError, match=r"X_privileged has values of up to .*e\+200, whose products overflow"
        ):
            Estimator().fit(X, y, X_privileged=1e200 * Z)

    @ALL
    def test_output_of_the_privileged_transformer(self, Estimator, data):
        X, y, Z = data
        broken = FunctionTransformer(lambda Z: np.full_like(Z, np.inf))
        with pytest.raises(ValueError, match="privileged_transformer output contains infinity"):
            Estimator(privileged_transformer=broken).fit(X, y, X_privileged=Z)

    @ALL
    @pytest.mark.parametrize("function", [lambda Z: Z[:5], lambda Z: np.vstack([Z, Z]), lambda Z: Z[:, 0]])
    def test_rows_of_the_privileged_transformer(self, Estimator, data, function):
        X, y, Z = data
        with pytest.raises(
            ValueError, match=r"privileged_transformer returned an array of shape .* one row a"
        ):
            Estimator(privileged_transformer=FunctionTransformer(function)).fit(X, y, X_privileged=Z)


class TestLabels:
    @ALL
    def test_one_class(self, Estimator, data):
        X, _, Z = data
        with pytest.raises(
            ValueError, match="y has one class, 'seal': a classifier needs samples of at least two"
        ):
            Estimator().fit(X, ["seal"] * N, X_privileged=Z)

    @ALL
    def test_one_class_left_by_weights(self, Estimator, data):
        X, y, Z = data
        with pytest.raises(
            ValueError, match=r"leave no sample of class \[0\]: give each class a positive weight"
        ):
            Estimator().fit(X, y, X_privileged=Z, sample_weight=y)

    @ALL
    def test_class_of_three_lost_by_weights(self, Estimator, data, three):
        X, _, Z = data
        with pytest.raises(ValueError, match=r"leave no sample of class \[1\]"):
            Estimator().fit(X, three, X_privileged=Z, sample_weight=three != 1)

    @ALL
    def test_class_lost_by_class_weight(self, Estimator, data):
        X, y, Z = data
        with pytest.raises(
            ValueError, match=r"sample_weight and class_weight leave no sample of class \[1\]"
        ):
            Estimator(class_weight={0: 1, 1: 0}).fit(X, y, X_privileged=Z)

    @ALL
    @pytest.mark.parametrize(
        "names",
        [
            np.array(["rat", "seal"]),
            np.array(["rat", "seal"], dtype=object),
            np.array([False, True]),
            np.array([-7, 3]),
            np.array([3, 200], dtype=np.uint8),
            np.array([1.0, 2.0]),
            np.array([1, 2], dtype=object),
        ],
        ids=lambda names: f"{names.dtype}",
    )
    def test_kinds(self, Estimator, data, names):
        X, y, Z = data
        expected = Estimator().fit(X, y, X_privileged=Z)
        model = Estimator().fit(X, names[y], X_privileged=Z)
        assert model.classes_.tolist() == names.tolist()
        np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))
        assert model.predict(X).tolist() == names[expected.predict(X)].tolist()

    @ALL
    @pytest.mark.parametrize("container", [list, pd.Series, lambda y: pd.Series(y).astype("category")])
    def test_containers(self, Estimator, data, container):
        X, y, Z = data
        names = np.array(["rat", "seal"])[y]
        assert set(Estimator().fit(X, container(names), X_privileged=Z).predict(X)) == {"rat", "seal"}

    @ALL
    def test_multilabel(self, Estimator, data):
        X, y, Z = data
        with pytest.raises(ValueError, match=r"y should be a 1d array, got an array of shape \(24, 2\)"):
            Estimator().fit(X, np.column_stack([y, 1 - y]), X_privileged=Z)

    @ALL
    def test_continuous(self, Estimator, data):
        X, _, Z = data
        with pytest.raises(
            ValueError, match=r"y must hold one label per sample.*Unknown label type: continuous"
        ):
            Estimator().fit(X, Z[:, 0], X_privileged=Z)

    @ALL
    def test_mixed(self, Estimator, data):
        X, y, Z = data
        with pytest.raises(ValueError, match=r"y must hold one label per sample, all strings, all integers"):
            Estimator().fit(X, np.array([1, "a"], dtype=object)[y], X_privileged=Z)

    @ALL
    def test_nan(self, Estimator, data):
        X, y, Z = data
        with pytest.raises(ValueError, match="Input y contains NaN"):
            Estimator().fit(X, put(y, 2, np.nan), X_privileged=Z)


class TestWeights:
    @ALL
    def test_negative(self, Estimator, data):
        X, y, Z = data
        with pytest.raises(
            ValueError, match=r"sample_weight must not be negative, got -2 for sample 5: pass weights"
        ):
            Estimator().fit(X, y, X_privileged=Z, sample_weight=put(np.ones(N), 5, -2))

    @ALL
    @pytest.mark.parametrize("weight", [np.zeros(N), 0])
    def test_all_zero(self, Estimator, data, weight):
        X, y, Z = data
        with pytest.raises(
            ValueError, match="sample_weight is zero for every sample: pass at least one positive"
        ):
            Estimator().fit(X, y, X_privileged=Z, sample_weight=weight)

    @ALL
    @pytest.mark.parametrize(("value", "name"), [(np.nan, "NaN"), (np.inf, "infinity")])
    def test_not_finite(self, Estimator, data, value, name):
        X, y, Z = data
        with pytest.raises(ValueError, match=f"sample_weight contains {name}"):
            Estimator().fit(X, y, X_privileged=Z, sample_weight=put(np.ones(N), 5, value))

    @ALL
    @pytest.mark.parametrize("value", [-1, np.nan, np.inf])
    def test_class_weight(self, Estimator, data, value):
        X, y, Z = data
        message = rf"class_weight of class 1 must be finite and at least 0, got {float(value)}: pass a number"
        with pytest.raises(ValueError, match=message):
            Estimator(class_weight={0: 1, 1: value}).fit(X, y, X_privileged=Z)

    @ALL
    def test_unknown_class_weight(self, Estimator, data):
        X, y, Z = data
        with pytest.raises(ValueError, match=r"'class_weight' parameter .* Got 'equal'"):
            Estimator(class_weight="equal").fit(X, y, X_privileged=Z)


class TestPenalties:
    @ALL
    def test_an_integer_is_as_good_as_a_float(self, Estimator, data):
        X, y, Z = data
        second = "privileged_alpha" if Estimator is SVMPlus else "privileged_C"
        whole = Estimator(C=2, tol=1e-6, **{second: 3}).fit(X, y, X_privileged=Z)
        real = Estimator(C=2.0, tol=1e-6, **{second: 3.0}).fit(X, y, X_privileged=Z)
        np.testing.assert_array_equal(whole.coef_, real.coef_)
        numpy = Estimator(C=np.int32(2), **{second: np.float32(3)}).fit(X, y, X_privileged=Z)
        np.testing.assert_array_equal(numpy.coef_, real.coef_)

    @ALL
    @NOT_POSITIVE
    @pytest.mark.parametrize("name", ["C", "tol"])
    def test_not_positive(self, Estimator, data, name, value):
        X, y, Z = data
        with pytest.raises(
            ValueError, match=rf"^{name} must be finite and greater than 0, got {value}: pass a number"
        ):
            Estimator(**{name: value}).fit(X, y, X_privileged=Z)

    @ALL
    @NO_NUMBER
    @pytest.mark.parametrize("name", ["C", "tol"])
    def test_no_number(self, Estimator, data, name, value):
        X, y, Z = data
        with pytest.raises(TypeError, match=rf"^{name} must be a real number, got .*: pass a float"):
            Estimator(**{name: value}).fit(X, y, X_privileged=Z)

    @NOT_POSITIVE
    def test_privileged_alpha_not_positive(self, data, value):
        X, y, Z = data
        with pytest.raises(
            ValueError, match=rf"^privileged_alpha must be finite and greater than 0, got {value}:"
        ):
            SVMPlus(privileged_alpha=value).fit(X, y, X_privileged=Z)

    @NO_NUMBER
    def test_privileged_alpha_no_number(self, data, value):
        X, y, Z = data
        with pytest.raises(TypeError, match=r"^privileged_alpha must be a real number, got .*: pass a float"):
            SVMPlus(privileged_alpha=value).fit(X, y, X_privileged=Z)

    @TWO_STAGES
    @NOT_POSITIVE
    def test_privileged_C_not_positive(self, Estimator, data, value):
        X, y, Z = data
        with pytest.raises(
            ValueError, match=rf"^privileged_C must be finite and greater than 0, got {value}:"
        ):
            Estimator(privileged_C=value).fit(X, y, X_privileged=Z)

    @TWO_STAGES
    @NO_NUMBER
    def test_privileged_C_no_number(self, Estimator, data, value):
        X, y, Z = data
        with pytest.raises(TypeError, match=r"^privileged_C must be a real number, got .*: pass a float"):
            Estimator(privileged_C=value).fit(X, y, X_privileged=Z)

    @pytest.mark.parametrize("value", [-0.1, np.nan, np.inf])
    def test_epsilon(self, data, value):
        X, y, Z = data
        with pytest.raises(
            ValueError, match=rf"^epsilon must be finite and at least 0, got {value}: pass a number"
        ):
            MarginTransferSVC(epsilon=value).fit(X, y, X_privileged=Z)

    @NO_NUMBER
    def test_epsilon_no_number(self, data, value):
        X, y, Z = data
        with pytest.raises(TypeError, match=r"^epsilon must be a real number"):
            MarginTransferSVC(epsilon=value).fit(X, y, X_privileged=Z)


class TestChoices:
    @ALL
    @pytest.mark.parametrize("name", ["kernel", "privileged_kernel"])
    @pytest.mark.parametrize(
        "value", ["foo", None, 3, ("rbf",), np.eye(N)], ids=["name", "None", "3", "tuple", "matrix"]
    )
    def test_kernel(self, Estimator, data, name, value):
        X, y, Z = data
        with pytest.raises(
            ValueError, match=rf"(?s)^{name} must be one of 'linear', .* or a function, got .*: pass one"
        ):
            Estimator(**{name: value}).fit(X, y, X_privileged=Z)

    def test_loss(self, data):
        X, y, Z = data
        with pytest.raises(
            ValueError, match="loss must be one of 'hinge', 'squared_hinge', got 'log': pass one"
        ):
            SVMPlus(loss="log").fit(X, y, X_privileged=Z)

    @pytest.mark.parametrize("Estimator", [SVMPlus, MarginTransferSVC])
    def test_solver(self, Estimator, data):
        X, y, Z = data
        with pytest.raises(
            ValueError, match="solver must be one of 'auto', 'interior_point', 'smo', got 'sgd'"
        ):
            Estimator(solver="sgd").fit(X, y, X_privileged=Z)

    def test_smo_needs_every_privileged_row(self, data):
        X, y, Z = data
        with pytest.raises(
            ValueError, match=r"solver='smo' needs .* 1 of 24 samples have none: use solver='auto'"
        ):
            SVMPlus(solver="smo").fit(X, y, X_privileged=put(Z, 0, np.nan))


class TestKernelParameters:
    @ALL
    @pytest.mark.parametrize("prefix", ["", "privileged_"])
    @pytest.mark.parametrize(
        ("name", "value", "error", "message"),
        [
            ("gamma", "foo", ValueError, "gamma must be one of 'scale', 'auto', got 'foo'"),
            ("gamma", -1, ValueError, "gamma must be finite and at least 0, got -1"),
            ("gamma", True, TypeError, "gamma must be a real number, got True"),
            ("degree", -1, ValueError, "degree must be finite and at least 0, got -1"),
            ("degree", "3", TypeError, "degree must be a real number, got '3'"),
            ("coef0", np.nan, ValueError, "coef0 must be finite, got nan"),
            ("coef0", None, TypeError, "coef0 must be a real number, got None"),
            ("degree", 2.5, ValueError, r"kernel gives NaN or infinity on these samples \('poly'\)"),
        ],
    )
    def test_range(self, Estimator, data, prefix, name, value, error, message):
        X, y, Z = data
        model = Estimator(**{f"{prefix}kernel": "poly", f"{prefix}{name}": value})
        with pytest.raises(error, match=f"^{prefix}{message}"):
            model.fit(X, y, X_privileged=Z)


class TestPrecomputedKernels:
    @ALL
    def test_wrong_shape(self, Estimator, data):
        X, y, Z = data
        message = (
            r"X has shape \(24, 2\), but kernel='precomputed' needs the square kernel .*: pass k\(X_train"
        )
        with pytest.raises(ValueError, match=message):
            Estimator(kernel="precomputed").fit(X, y, X_privileged=Z)

    @ALL
    def test_sliced_on_one_axis(self, Estimator, data):
        X, y, Z = data
        message = (
            r"X has shape \(12, 24\), but kernel='precomputed' needs .* sliced on both axes where you select"
        )
        with pytest.raises(ValueError, match=message):
            Estimator(kernel="precomputed").fit((X @ X.T)[:12], y[:12], X_privileged=Z[:12])

    @ALL
    def test_privileged_kernel_sliced_on_one_axis(self, Estimator, data):
        X, y, Z = data
        message = (
            r"X_privileged has shape \(12, 24\), but privileged_kernel='precomputed' needs .* pass features"
        )
        with pytest.raises(ValueError, match=message):
            Estimator(privileged_kernel="precomputed").fit(X[:12], y[:12], X_privileged=(Z @ Z.T)[:12])

    @ALL
    def test_not_symmetric(self, Estimator, data):
        X, y, Z = data
        K = X @ X.T
        message = (
            r"X is not symmetric \(entries differ by up to .*kernel='precomputed' .* with \(K \+ K\.T\) / 2"
        )
        with pytest.raises(ValueError, match=message):
            Estimator(kernel="precomputed").fit(put(K, (1, 2), K[1, 2] + 1), y, X_privileged=Z)

    @ALL
    def test_privileged_kernel_not_symmetric(self, Estimator, data):
        X, y, Z = data
        K = Z @ Z.T
        message = r"X_privileged is not symmetric \(entries differ by up to 1\), but privileged_kernel='precomputed'"
        with pytest.raises(ValueError, match=message):
            Estimator(privileged_kernel="precomputed").fit(X, y, X_privileged=put(K, (1, 2), K[1, 2] + 1))

    @ALL
    def test_privileged_kernel_with_nan_in_part_of_a_row(self, Estimator, data):
        X, y, Z = data
        with pytest.raises(ValueError, match="X_privileged has NaN in part of row 1"):
            Estimator(privileged_kernel="precomputed").fit(X, y, X_privileged=put(Z @ Z.T, (1, 2), np.nan))

    @ALL
    def test_at_prediction(self, Estimator, data):
        X, y, Z = data
        model = Estimator(kernel="precomputed").fit(X @ X.T, y, X_privileged=Z)
        with pytest.raises(ValueError, match=r"X has 20 features, but .* is expecting 24 features"):
            model.predict(X @ X[:20].T)


class TestKernelFunctions:
    @ALL
    @pytest.mark.parametrize("name", ["kernel", "privileged_kernel"])
    def test_wrong_shape(self, Estimator, data, name):
        X, y, Z = data
        message = (
            rf"^{name} returned an array of shape \(3, 3\) for 24 and 24 samples: .* return shape \(24, 24\)"
        )
        with pytest.raises(ValueError, match=message):
            Estimator(**{name: lambda A, B: np.ones((3, 3))}).fit(X, y, X_privileged=Z)

    @ALL
    @pytest.mark.parametrize("name", ["kernel", "privileged_kernel"])
    def test_not_symmetric(self, Estimator, data, name):
        X, y, Z = data
        message = (
            rf"^{name}'s matrix is not symmetric .*, but a function as {name} stands for a symmetric kernel"
        )
        with pytest.raises(ValueError, match=message):
            Estimator(**{name: lambda A, B: A[:, :1] + 2 * B[:, 0]}).fit(X, y, X_privileged=Z)

    @ALL
    @pytest.mark.parametrize("name", ["kernel", "privileged_kernel"])
    def test_not_finite(self, Estimator, data, name):
        X, y, Z = data
        with pytest.raises(ValueError, match=rf"^{name} gives NaN or infinity on these samples"):
            Estimator(**{name: lambda A, B: np.full((len(A), len(B)), np.nan)}).fit(X, y, X_privileged=Z)


@ALL
def test_chi2_with_negative_features(Estimator, data):
    X, y, Z = data
    message = (
        r"X has values down to -.*, but kernel='chi2' compares histograms: pass non-negative features or"
    )
    with pytest.raises(ValueError, match=message):
        Estimator(kernel="chi2").fit(X, y, X_privileged=Z)
    with pytest.raises(
        ValueError, match=r"X_privileged has values down to -.*, but privileged_kernel='chi2'"
    ):
        Estimator(privileged_kernel="chi2").fit(X, y, X_privileged=Z)


class TestMargins:
    @pytest.mark.parametrize(
        ("margins", "message"),
        [
            (
                np.ones(N - 1),
                r"margins has shape \(23,\), expected \(24,\): pass one margin per training sample",
            ),
            (np.ones((N, 2)), r"margins has shape \(24, 2\), expected \(24,\)"),
            (1.0, r"margins has shape \(\), expected \(24,\)"),
            (
                put(np.ones(N), 3, np.nan),
                r"margins contains NaN \(1 of 24 values\): impute, replace or remove",
            ),
            (put(np.ones(N), 3, np.inf), r"margins contains infinity"),
            (["easy"] * N, r"margins must be an array of real numbers, got list"),
        ],
    )
    def test_two_classes(self, data, margins, message):
        X, y, _ = data
        with pytest.raises(ValueError, match=message):
            MarginTransferSVC().fit(X, y, margins=margins)

    def test_three_classes_need_a_column_each(self, data, three):
        X, _, _ = data
        message = (
            r"margins has shape \(24,\), expected \(24, 3\): pass one margin per .*, one column per class"
        )
        with pytest.raises(ValueError, match=message):
            MarginTransferSVC().fit(X, three, margins=np.ones(N))

    def test_privileged_rows_on_one_side_only(self, data):
        X, y, Z = data
        message = (
            "X_privileged has values on one side only of class 1 against the rest: give some sample of each"
        )
        with pytest.raises(ValueError, match=message):
            MarginTransferSVC().fit(X, y, X_privileged=put(Z, y == 0, np.nan))


def test_no_pair_to_learn_from(data):
    X, y, Z = data
    with pytest.raises(
        ValueError, match=r"X_privileged orders no pair of samples .*: check that its rows belong"
    ):
        RankTransferSVC().fit(X, y, X_privileged=np.ones_like(Z))


class TestCacheSize:
    def test_too_small(self, data):
        X, y, Z = data
        # Two kernel matrices and one factor of 24 x 24 numbers of eight bytes: 13824 bytes.
        message = (
            r"cache_size is 0\.013 MB, but the kernel matrices of 24 samples and their factors take 0\.0138 MB: "
            "raise cache_size"
        )
        with pytest.raises(ValueError, match=message):
            SVMPlus(kernel="rbf", cache_size=0.013).fit(X, y, X_privileged=Z)
        SVMPlus(kernel="rbf", cache_size=0.014).fit(X, y, X_privileged=Z)

    @NOT_POSITIVE
    def test_not_positive(self, data, value):
        X, y, Z = data
        with pytest.raises(ValueError, match=rf"cache_size must be finite and greater than 0, got {value}"):
            SVMPlus(cache_size=value).fit(X, y, X_privileged=Z)


@ALL
@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (0, ValueError, "max_iter must be at least 1, or -1 for no limit of your own, got 0"),
        (-2, ValueError, "max_iter must be at least 1, or -1 for no limit of your own, got -2"),
        (1.5, TypeError, r"max_iter must be an integer, got 1\.5: pass an int"),
        (True, TypeError, "max_iter must be an integer, got True"),
        (None, TypeError, "max_iter must be an integer, got None"),
    ],
)
def test_max_iter(Estimator, data, value, error, message):
    X, y, Z = data
    with pytest.raises(error, match=message):
        Estimator(max_iter=value).fit(X, y, X_privileged=Z)


@ALL
def test_before_fit(Estimator, data):
    with pytest.raises(NotFittedError, match=f"This {Estimator.__name__} instance is not fitted yet"):
        Estimator().predict(data[0])


class TestFeatureNames:
    @ALL
    def test_mismatch_at_prediction(self, Estimator, data):
        X, y, Z = data
        model = Estimator().fit(pd.DataFrame(X, columns=["width", "height"]), y, X_privileged=Z)
        assert model.feature_names_in_.tolist() == ["width", "height"]
        with pytest.raises(ValueError, match=r"(?s)feature names should match .*in the same order"):
            model.predict(pd.DataFrame(X, columns=["height", "width"]))
        with pytest.warns(UserWarning, match="X does not have valid feature names"):
            model.predict(X)

    @ALL
    def test_number_of_features_at_prediction(self, Estimator, data):
        X, y, Z = data
        model = Estimator().fit(X, y, X_privileged=Z)
        with pytest.raises(ValueError, match=r"X has 1 features, but .* is expecting 2 features"):
            model.predict(X[:, :1])


class TestRoundTrips:
    PARAMETERS = {  # noqa: RUF012
        SVMPlus: {"C": 2, "privileged_alpha": 0.5, "loss": "squared_hinge", "cache_size": 10},
        MarginTransferSVC: {"C": 2, "privileged_C": 0.5, "epsilon": 0, "fit_intercept": False},
        RankTransferSVC: {"C": 2, "privileged_C": 0.5},
    }

    @ALL
    def test_parameters(self, Estimator):
        parameters = self.PARAMETERS[Estimator] | {"kernel": "rbf", "privileged_gamma": 0.3, "tol": 1e-4}
        model = Estimator(**parameters)
        assert parameters.items() <= model.get_params().items()
        assert clone(model).get_params() == model.get_params()
        assert Estimator().set_params(**parameters).get_params() == model.get_params()
        with pytest.raises(ValueError, match="Invalid parameter 'gama'"):
            model.set_params(gama=1)

    @ALL
    @pytest.mark.parametrize("kernel", ["linear", "rbf", "precomputed"])
    def test_pickle(self, Estimator, data, kernel):
        X, y, Z = data
        X = X @ X.T if kernel == "precomputed" else X
        model = Estimator(**self.PARAMETERS[Estimator], kernel=kernel).fit(X, y, X_privileged=Z)
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
        assert again.get_params() == model.get_params()

    @ALL
    def test_fit_leaves_parameters_alone(self, Estimator, data):
        X, y, Z = data
        model = Estimator(C=np.int64(2))
        before = model.get_params()
        model.fit(X, y, X_privileged=Z)
        assert model.get_params() == before
        assert type(model.C) is np.int64

    @ALL
    def test_refitting_forgets(self, Estimator, data, three):
        X, y, Z = data
        model = Estimator(privileged_kernel="rbf").fit(X, three, X_privileged=Z).fit(X, y, X_privileged=Z)
        fresh = Estimator(privileged_kernel="rbf").fit(X, y, X_privileged=Z)
        np.testing.assert_array_equal(model.decision_function(X), fresh.decision_function(X))


CONTAINERS = {
    "float32": lambda A: A.astype(np.float32),
    "fortran": np.asfortranarray,
    "strided": lambda A: np.repeat(A, 2, axis=1)[:, ::2],
    "csr": sparse.csr_array,
    "csc": sparse.csc_array,
    "coo": sparse.coo_array,
    "csr_matrix": sparse.csr_matrix,
    "frame": pd.DataFrame,
    "list": lambda A: A.tolist(),
}


def snapshot(value):
    return value.toarray() if sparse.issparse(value) else np.array(value)


class TestInputs:
    @ALL
    @pytest.mark.parametrize("kernel", ["linear", "rbf"])
    @pytest.mark.parametrize("name", CONTAINERS)
    def test_containers_agree_and_stay_unchanged(self, Estimator, data, name, kernel):
        X, y, Z = (np.round(a, 2) if a.dtype == float else a for a in data)
        X, Z = X.astype(np.float32).astype(float), Z.astype(np.float32).astype(float)
        weight = np.linspace(0.5, 1.5, N)
        settings = {"kernel": kernel, "gamma": 0.5, "tol": 1e-10}
        expected = Estimator(**settings).fit(X, y, X_privileged=Z, sample_weight=weight)
        given, privileged = CONTAINERS[name](X), CONTAINERS[name](Z)
        before = snapshot(given), snapshot(privileged), y.copy(), weight.copy()
        model = Estimator(**settings).fit(given, y, X_privileged=privileged, sample_weight=weight)
        values = model.decision_function(given)
        for now, then in zip((snapshot(given), snapshot(privileged), y, weight), before, strict=True):
            np.testing.assert_array_equal(now, then)
        # Within the gap, solutions differ by up to sqrt(2 tol objective) = 6e-5; equal numbers do by rounding alone.
        np.testing.assert_allclose(values, expected.decision_function(X), atol=1e-5)

    @ALL
    @pytest.mark.parametrize("kernel", ["linear", "rbf", "chi2", "precomputed"])
    def test_read_only_arrays(self, Estimator, data, kernel):
        X, y, Z = (a - a.min() for a in data)
        if kernel == "precomputed":
            X, Z = X @ X.T, Z @ Z.T
        weight = np.ones(N)
        for array in (X, y, Z, weight):
            array.setflags(write=False)
        model = Estimator(kernel=kernel, privileged_kernel=kernel)
        model.fit(X, y, X_privileged=Z, sample_weight=weight)
        assert model.decision_function(X).shape == (N,)

    def test_read_only_margins(self, data):
        X, y, _ = data
        margins = np.linspace(-1, 2, N)
        margins.setflags(write=False)
        model = MarginTransferSVC().fit(X, y, margins=margins)
        np.testing.assert_array_equal(model.margins_, np.maximum(margins, 0.1))

    @ALL
    def test_integers(self, Estimator, data):
        X, y, Z = data
        X, Z = np.round(5 * X).astype(int), np.round(5 * Z).astype(np.int16)
        values = Estimator().fit(X, y, X_privileged=Z).decision_function(X)
        expected = Estimator().fit(X.astype(float), y, X_privileged=Z.astype(float)).decision_function(X)
        np.testing.assert_array_equal(values, expected)

    @ALL
    def test_privileged_precomputed_kernel_with_missing_rows_stays_unchanged(self, Estimator, data):
        X, y, Z = data
        K = put(Z @ Z.T, [1, 5], np.nan)
        before = K.copy()
        Estimator(privileged_kernel="precomputed").fit(X, y, X_privileged=K)
        np.testing.assert_array_equal(K, before)
