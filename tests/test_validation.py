"""Every check says the parameter, what was expected, what was given and what to do."""

import numpy as np
import pytest
from scipy import sparse

from widemargin.validation import (
    check_choice,
    check_features_finite,
    check_fpr_range,
    check_integer,
    check_labels,
    check_magnitude,
    check_margins,
    check_non_negative,
    check_number,
    check_numbers,
    check_optional_rows,
    check_sample_weight,
    check_square_kernel,
    proportional_weight,
)


class TestNumber:
    @pytest.mark.parametrize("value", [3, 3.0, np.int8(3), np.float32(3)])
    def test_real_numbers_become_floats(self, value):
        number = check_number("C", value, above=0)
        assert type(number) is float
        assert number == 3.0

    @pytest.mark.parametrize("value", ["1", None, True, np.bool_(True), 1j, [1.0], np.array([1.0])])
    def test_other_types(self, value):
        with pytest.raises(TypeError, match=r"C must be a real number, got .*: pass a float"):
            check_number("C", value)

    @pytest.mark.parametrize("value", [10**400, -(10**5000)], ids=["large", "too long to print"])
    def test_integers_beyond_floats(self, value):
        with pytest.raises(
            ValueError, match="C must be finite, got a number beyond those of float64: pass a"
        ):
            check_number("C", value)

    @pytest.mark.parametrize("value", [0.9, 2.1, np.nan])
    def test_both_bounds(self, value):
        assert check_number("C", 1, at_least=1, at_most=2) == 1
        assert check_number("C", 2, at_least=1, at_most=2) == 2
        with pytest.raises(
            ValueError, match=rf"C must be finite and from 1 to 2, got {value}: pass a number"
        ):
            check_number("C", value, at_least=1, at_most=2)

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 0, -1])
    def test_above(self, value):
        with pytest.raises(
            ValueError, match=rf"C must be finite and greater than 0, got {value}: pass a number"
        ):
            check_number("C", value, above=0)

    def test_at_least_includes_the_bound(self):
        assert check_number("epsilon", 0, at_least=0) == 0.0
        with pytest.raises(ValueError, match=r"epsilon must be finite and at least 0, got -0\.1"):
            check_number("epsilon", -0.1, at_least=0)

    def test_without_bound(self):
        assert check_number("coef0", -5) == -5.0
        with pytest.raises(ValueError, match="coef0 must be finite, got nan"):
            check_number("coef0", np.nan)


class TestInteger:
    def test_integers(self):
        assert check_integer("max_iter", np.int64(5), at_least=1) == 5
        assert check_integer("max_iter", -1, at_least=1, unlimited=-1) == -1

    @pytest.mark.parametrize("value", [1.0, "1", None, False])
    def test_other_types(self, value):
        with pytest.raises(TypeError, match=r"max_iter must be an integer, got .*: pass an int"):
            check_integer("max_iter", value, at_least=1)

    def test_below(self):
        with pytest.raises(ValueError, match=r"max_iter must be at least 1, got 0\."):
            check_integer("max_iter", 0, at_least=1)
        with pytest.raises(ValueError, match=r"at least 1, or -1 for no limit of your own, got -2"):
            check_integer("max_iter", -2, at_least=1, unlimited=-1)

    @pytest.mark.parametrize("value", [2**63, 10**5000, -(10**5000)], ids=["int64", "large", "far below"])
    def test_too_large_for_native_code(self, value):
        with pytest.raises(ValueError, match="max_iter must be at most 4611686018427387904 in size: pass a"):
            check_integer("max_iter", value, at_least=1)


class TestChoice:
    def test_choices(self):
        check_choice("loss", "hinge", ("hinge", "squared_hinge"))
        check_choice("kernel", max, ("rbf",), function=True)

    @pytest.mark.parametrize("value", ["Hinge", None, 1, max, np.array(["hinge"])])
    def test_anything_else(self, value):
        with pytest.raises(
            ValueError, match=r"loss must be one of 'hinge', 'squared_hinge', got .*: pass one of"
        ):
            check_choice("loss", value, ("hinge", "squared_hinge"))

    def test_functions_are_mentioned_where_allowed(self):
        with pytest.raises(ValueError, match="one of 'rbf' or a function, got 'foo'"):
            check_choice("kernel", "foo", ("rbf",), function=True)


class TestLabels:
    @pytest.mark.parametrize(
        ("y", "classes"),
        [
            (np.array([2, 1, 2]), [1, 2]),
            (np.array([1.0, 3.0, 3.0]), [1.0, 3.0]),
            (np.array([True, False, True]), [False, True]),
            (np.array(["b", "a", "b"]), ["a", "b"]),
            (np.array(["b", "a", "b"], dtype=object), ["a", "b"]),
            (np.array([2, 1, 2], dtype=object), [1, 2]),
            (np.array([True, False, True], dtype=object), [False, True]),
        ],
    )
    def test_kinds(self, y, classes):
        found, labels = check_labels(y)
        assert found.tolist() == classes
        assert found[labels].tolist() == y.tolist()

    @pytest.mark.parametrize(
        "y",
        [
            np.array([0.5, 1.0, 2.0]),
            np.array([0.0, np.nan, 1.0]),
            np.array([0.0, np.inf, 1.0]),
            np.array([0, np.nan, 1], dtype=object),
            np.array([1, "a", 1], dtype=object),
            np.array(["a", None, "b"], dtype=object),
            np.array(["a", np.nan, "b"], dtype=object),
            np.array([b"a", b"b", b"a"], dtype=object),
        ],
    )
    def test_no_labels(self, y):
        with pytest.raises(
            ValueError, match="y must hold one label per sample, all strings, all integers or"
        ):
            check_labels(y)

    def test_one_class(self):
        with pytest.raises(
            ValueError, match="y has one class, 'a': a classifier needs samples of at least two"
        ):
            check_labels(np.array(["a", "a"]))


class TestProportionalWeight:
    def test_counts_stay(self):
        weight = np.array([1.0, 0.0, 2.0**52])
        assert proportional_weight(weight, np.array([0, 1, 1]), "ab") is weight

    @pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
    def test_others_keep_their_proportions_exactly_and_are_no_counts(self, scale):
        weight = scale * np.array([0.3, 0.7, 1.1])
        scaled = proportional_weight(weight, np.array([0, 1, 1]), "ab")
        np.testing.assert_array_equal(scaled / scaled[0], weight / weight[0])
        assert 0.5 <= scaled.max() < 1

    @pytest.mark.parametrize("size", [5e-324, 2.0**53, np.finfo(float).max])
    def test_sizes_that_cannot_be_added(self, size):
        scaled = proportional_weight(np.full(4, size), np.array([0, 1, 1, 0]), "ab")
        assert np.all(scaled == scaled[0])
        assert 0.5 <= scaled[0] < 1

    def test_a_class_without_weight(self):
        with pytest.raises(ValueError, match="sample_weight leaves no sample of class 'b': give each class"):
            proportional_weight(np.array([1.0, 0.0]), np.array([0, 1]), "ab")
        # Against the largest, the smallest is less than the smallest float.
        with pytest.raises(ValueError, match="sample_weight leaves no sample of class 'a'"):
            proportional_weight(np.array([1e-300, 1e300]), np.array([0, 1]), "ab")
        with pytest.raises(ValueError, match=r"sample_weight gives class 'a' less than 1e-100 .*: pass"):
            proportional_weight(np.array([0.9e-100, 1.0]), np.array([0, 1]), "ab")
        assert proportional_weight(np.array([1.1e-100, 1.0]), np.array([0, 1]), "ab").min() > 0


class TestSampleWeight:
    def test_default_and_scalars(self):
        np.testing.assert_array_equal(check_sample_weight(None, 3), [1, 1, 1])
        np.testing.assert_array_equal(check_sample_weight(2, 3), [2, 2, 2])

    def test_booleans_select(self):
        np.testing.assert_array_equal(check_sample_weight([True, False], 2), [1, 0])

    @pytest.mark.parametrize(
        ("weight", "message"),
        [
            ([1, -2, 1], r"must not be negative, got -2 for sample 1: pass weights of at least 0"),
            (-1, r"must not be negative, got -1 for sample 0"),
            ([0, 0, 0], r"is zero for every sample: pass at least one positive weight"),
            ([1, 1], r"sample_weight\.shape == \(2,\), expected \(3,\): pass one weight per sample"),
            ([[1], [1], [1]], r"sample_weight\.shape == \(3, 1\), expected \(3,\)"),
            ([1, np.nan, 1], r"sample_weight contains NaN \(1 of 3 values\)"),
            ([1, np.inf, 1], r"sample_weight contains infinity"),
            (np.nan, r"sample_weight contains NaN"),
            (["a", "b", "c"], r"sample_weight must be an array of real numbers, got list"),
        ],
    )
    def test_errors(self, weight, message):
        with pytest.raises(ValueError, match=message):
            check_sample_weight(weight, 3)


class TestNumbers:
    def test_values_are_not_judged(self):
        np.testing.assert_array_equal(check_numbers("margins", [1, np.nan, np.inf]), [1, np.nan, np.inf])

    def test_copy(self):
        value = np.ones((2, 2))
        assert not np.shares_memory(check_numbers("X", value, copy=True), value)

    @pytest.mark.parametrize(
        ("value", "kind"),
        [("abc", "str"), ([["a"]], "list"), (np.ones(2) * 1j, "ndarray")],
    )
    def test_errors(self, value, kind):
        with pytest.raises(ValueError, match=f"X_privileged must be an array of real numbers, got {kind}:"):
            check_numbers("X_privileged", value)


class TestOptionalRows:
    def test_rows_of_nan_are_missing(self):
        matrix, missing = check_optional_rows("X_privileged", [[1, 2], [np.nan, np.nan]], 2)
        assert missing.tolist() == [False, True]
        assert matrix.dtype == float

    def test_sparse_stays_sparse(self):
        matrix, missing = check_optional_rows(
            "X_privileged", sparse.coo_array(np.eye(3, dtype=np.float32)), 3
        )
        assert matrix.format == "csr"
        assert matrix.dtype == float
        assert not missing.any()

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            ([[1, 2]], "X_privileged has 1 rows, X has 2: pass one row of privileged features per training"),
            ([1, 2], r"X_privileged has shape \(2,\), expected \(2, n_features\) with at least one feature"),
            (3.0, r"X_privileged has shape \(\), expected"),
            (np.ones((2, 1, 1)), r"X_privileged has shape \(2, 1, 1\), expected"),
            (np.ones((2, 0)), r"X_privileged has shape \(2, 0\), expected .* reshape\(-1, 1\)"),
            (
                [[1, np.nan], [1, 2]],
                r"NaN in part of row 0 \(of 1 such rows\): impute the values, or set the whole",
            ),
            (
                [[1, np.inf], [1, 2]],
                r"X_privileged contains infinity \(1 of 4 values\): impute, replace or remove",
            ),
            ([[np.inf, np.inf], [1, 2]], r"X_privileged contains infinity \(2 of 4 values\)"),
            (sparse.csr_array([[1, np.nan], [1, 2]]), r"X_privileged contains NaN \(1 of 4 values\)"),
        ],
    )
    def test_errors(self, value, message):
        with pytest.raises(ValueError, match=message):
            check_optional_rows("X_privileged", value, 2)


class TestFeaturesFinite:
    def test_both_kinds_are_named(self):
        with pytest.raises(ValueError, match=r"Z contains NaN and infinity \(2 of 3 values\)"):
            check_features_finite("Z", np.array([np.nan, -np.inf, 1]))

    def test_finite(self):
        check_features_finite("Z", np.array([1e308, -1e308]))
        check_features_finite("Z", sparse.csr_array((2, 2)))


class TestFprRange:
    @pytest.mark.parametrize("given", [(0, 1), [0.25, 0.5], np.array([0.0, 0.1], dtype=np.float32)])
    def test_ends_become_floats(self, given):
        checked = check_fpr_range(given)
        assert checked == (float(given[0]), float(given[1]))
        assert [type(end) for end in checked] == [float, float]

    @pytest.mark.parametrize("given", [(0.1, 0.1), (0.2, 0.1), (-0.1, 0.5), (0, 1.5), 0.1, (0, 0.1, 1), "01"])
    def test_other_ranges_are_refused(self, given):
        with pytest.raises(
            ValueError, match=r"fpr_range must be two .* 0 <= alpha < beta <= 1, got .*: pass"
        ):
            check_fpr_range(given)

    def test_a_range_that_rounding_fills_is_refused(self):
        assert check_fpr_range((0, 1e-15)) == (0.0, 1e-15)
        with pytest.raises(
            ValueError, match=r"fpr_range must be at least 1e-15 wide, got .*: pass a wider range"
        ):
            check_fpr_range((0, 5e-324))


class TestFeaturesOfKernels:
    @pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
    def test_magnitude(self, kind):
        check_magnitude("X", kind([[1e70, -1e70]]))
        with pytest.raises(ValueError, match=r"X has values of up to 1e\+71, whose products overflow"):
            check_magnitude("X", kind([[0.0, -1e71]]))

    @pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
    def test_sign(self, kind):
        check_non_negative("X", "kernel", kind([[0.0, 1.0]]))
        with pytest.raises(
            ValueError, match="X has values down to -2, but kernel='chi2' compares histograms"
        ):
            check_non_negative("X", "kernel", kind([[0.0, -2.0]]))


class TestSquareKernel:
    def test_rounding_is_symmetrised(self):
        K = np.array([[2.0, 1.0], [1.0 + 1e-12, 2.0]])
        result = check_square_kernel("X", "kernel='precomputed'", K, "")
        np.testing.assert_array_equal(result, result.T)
        assert not np.shares_memory(result, K)

    def test_sparse_becomes_dense(self):
        result = check_square_kernel("X", "kernel='precomputed'", sparse.csr_array(np.eye(2)), "")
        np.testing.assert_array_equal(result, np.eye(2))

    def test_shape(self):
        message = (
            r"X has shape \(2, 3\), but kernel='precomputed' needs the square kernel matrix .*: slice both"
        )
        with pytest.raises(ValueError, match=message):
            check_square_kernel("X", "kernel='precomputed'", np.ones((2, 3)), "slice both axes.")

    def test_symmetry(self):
        message = r"X is not symmetric \(entries differ by up to 0\.5\), but kernel=.* symmetrise it with \(K \+ K\.T\)"
        with pytest.raises(ValueError, match=message):
            check_square_kernel("X", "kernel='precomputed'", np.array([[1.0, 0.5], [0.0, 1.0]]), "")


class TestMargins:
    def test_one_problem(self):
        assert check_margins([1, 2, 3], 3, 1).shape == (3, 1)
        assert check_margins([[1], [2], [3]], 3, 1).shape == (3, 1)

    def test_one_column_a_class(self):
        assert check_margins(np.ones((4, 3)), 4, 3).shape == (4, 3)

    @pytest.mark.parametrize(
        ("margins", "n_problems", "message"),
        [
            ([1, 2], 1, r"margins has shape \(2,\), expected \(3,\): pass one margin per training sample"),
            (1.0, 1, r"margins has shape \(\), expected \(3,\)"),
            ([1, 2, 3], 3, r"margins has shape \(3,\), expected \(3, 3\): .*, one column per class"),
            (np.ones((3, 2)), 1, r"margins has shape \(3, 2\), expected \(3,\)"),
            ([1, np.nan, 3], 1, r"margins contains NaN \(1 of 3 values\)"),
            ([1, np.inf, 3], 1, r"margins contains infinity"),
            (["a", "b", "c"], 1, r"margins must be an array of real numbers, got list"),
        ],
    )
    def test_errors(self, margins, n_problems, message):
        with pytest.raises(ValueError, match=message):
            check_margins(margins, 3, n_problems)
