import numpy as np
import pytest
from sklearn.model_selection import ParameterGrid

from widemargin.grid_search import axis_values, check_refit, chosen_index, grid_points, search_results


def test_points_are_those_of_parameter_grid():
    axes = {"b": [1, 2.5], "a": np.array([3.0, 1.0, 2.0])}
    assert grid_points(axes, at_least=0) == list(ParameterGrid({name: list(axes[name]) for name in axes}))


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ([], ValueError, "the grid of C is empty: pass at least one value"),
        (1.0, ValueError, r"the grid of C must be a list of values, got 1.0: pass \[1.0\]"),
        ("abc", ValueError, "the grid of C must be a list of values, got 'abc'"),
        (None, ValueError, "the grid of C must be a list of values, got None"),
        ([[1.0], [2.0]], ValueError, r"the grid of C must be a flat list of values, got shape \(2, 1\)"),
        ([1.0, 0.0], ValueError, "a value of C must be finite and greater than 0, got 0.0"),
        ([1.0, np.inf], ValueError, "a value of C must be finite"),
        ([1.0, "2"], TypeError, "a value of C must be a real number, got '2'"),
        ([True], TypeError, "a value of C must be a real number, got True"),
    ],
)
def test_bad_axes_are_named(values, error, message):
    with pytest.raises(error, match=message):
        axis_values("C", values, above=0)


def test_bounds_are_above_or_at_least():
    assert axis_values("C", (0, 1), at_least=0) == [0.0, 1.0]
    with pytest.raises(ValueError, match="greater than 0"):
        axis_values("C", (0, 1), above=0)


def test_results_hold_means_deviations_and_ranks():
    grid = grid_points({"a": [1.0, 2.0, 3.0, 4.0]})
    scores = np.array([[0.5, 0.7], [0.9, 0.9], [np.nan, 0.1], [0.9, 0.9]])
    results = search_results(grid, scores)
    assert results["params"] == grid
    np.testing.assert_array_equal(results["param_a"], [1.0, 2.0, 3.0, 4.0])
    np.testing.assert_array_equal(results["split1_test_score"], scores[:, 1])
    np.testing.assert_allclose(results["mean_test_score"], [0.6, 0.9, np.nan, 0.9])
    np.testing.assert_allclose(results["std_test_score"], [0.1, 0.0, np.nan, 0.0], atol=1e-15)
    # Undefined scores rank last, equal ones share the better rank.
    assert results["rank_test_score"].tolist() == [3, 1, 4, 1]
    assert chosen_index(True, results) == 1
    assert chosen_index(lambda results: np.int64(3), results) == 3


@pytest.mark.parametrize("chosen", [-1, 4, 1.0, None])
def test_a_choice_outside_the_grid_is_refused(chosen):
    results = search_results(grid_points({"a": [1.0, 2.0, 3.0, 4.0]}), np.ones((4, 2)))
    with pytest.raises(ValueError, match=f"refit returned {chosen} for 4 grid points"):
        chosen_index(lambda results: chosen, results)


def test_all_scores_undefined_choose_the_first():
    results = search_results(grid_points({"a": [1.0, 2.0]}), np.full((2, 2), np.nan))
    assert chosen_index(True, results) == 0


@pytest.mark.parametrize("refit", [False, None, "best", 1])
def test_refit_is_true_or_a_function(refit):
    with pytest.raises(ValueError, match="refit must be True or a function of cv_results_"):
        check_refit(refit)
    check_refit(True)
    check_refit(len)
