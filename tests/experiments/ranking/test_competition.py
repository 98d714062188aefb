"""One repeat of a competition: settings are chosen on validation rows only, per judgement, and fits are shared."""

from typing import ClassVar

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from widemargin.experiments.ranking.competition import (
    Judgement,
    Trial,
    compete,
    competition_columns,
    cross_validation,
    hold_out,
)
from widemargin.experiments.ranking.contenders import Contender, list_values, options, scores_at
from widemargin.experiments.ranking.problems import Split
from widemargin.ranking import AdaBoostTreesClassifier

LOW, HIGH = Judgement((0.0, 0.1)), Judgement((0.5, 1.0))


class Column(ClassifierMixin, BaseEstimator):
    """Scores by one feature, and notes what it was trained on."""

    fits: ClassVar[list] = []

    def __init__(self, column=0, fpr_range=(0.0, 1.0), random_state=None):
        self.column = column
        self.fpr_range = fpr_range
        self.random_state = random_state

    def fit(self, X, y):
        Column.fits.append((self.column, self.fpr_range, len(X), self.random_state))
        return self

    def decision_function(self, X):
        return X[:, self.column]


@pytest.fixture
def trial():
    """Validation rows: feature 0 ranks perfectly at the top, feature 1 lower down. Test rows: the other way round."""
    y = np.tile([1, 1, 0, 0], 10)
    early = np.where(np.arange(40) % 4 == 0, 3.0, 2.0 - y)  # half of the positives first, the other half last
    late = np.where(np.arange(40) % 4 == 2, 3.0, 1.0 + y)  # half of the negatives first, the other half last
    Column.fits = []
    train, validation = np.arange(20), np.arange(20, 40)
    split = Split(np.column_stack([early, late]), y, np.column_stack([late, early]), y)
    return Trial(split, ((train, validation),))


def test_settings_are_chosen_for_each_judgement_on_validation_rows_and_tested_on_others(trial):
    contender = Contender("one", "One", Column(), options(column=[1, 0]), ranged=False)
    row = compete([contender], [LOW, HIGH], trial, seed=7)
    assert list(row) == list(competition_columns([contender], [LOW, HIGH]))
    # Feature 0 accepts half of the positives before any negative, feature 1 all of them before half of the negatives.
    assert row["one_0_0.1_choice"] == "column 0"
    assert row["one_0.5_1_choice"] == "column 1"
    assert row["one_0_0.1_pauc"] == 0.0
    assert row["one_0.5_1_pauc"] == pytest.approx(0.5)
    # One training for each setting on the training rows, and one for each choice on all of them.
    assert sorted(fit[:3] for fit in Column.fits) == [
        (0, (0.0, 1.0), 20),
        (0, (0.0, 1.0), 40),
        (1, (0.0, 1.0), 20),
        (1, (0.0, 1.0), 40),
    ]
    assert {fit[3] for fit in Column.fits} == {7}


def test_a_contender_that_trains_for_a_range_is_trained_for_each(trial):
    contender = Contender("one", "One", Column())
    compete([contender], [LOW, HIGH], trial, seed=0)
    assert [fit[1] for fit in Column.fits] == [(0.0, 0.1), (0.5, 1.0)]


def test_a_range_in_the_grid_is_kept(trial):
    contender = Contender("one", "One", Column(), ({}, {"fpr_range": (0.0, 1.0)}))
    row = compete([contender], [LOW], trial, seed=0)
    assert row["one_0_0.1_choice"] == "fpr_range as judged"  # of equal ones the first
    assert [fit[1] for fit in Column.fits] == [(0.0, 0.1), (0.0, 1.0), (0.0, 0.1)]
    assert list_values([contender]) == "One (2 settings): fpr_range as judged, (0, 1)"


def test_contenders_with_the_same_settings_share_trainings(trial):
    grid = options(column=[1, 0])
    both = [Contender("one", "One", Column(), grid), Contender("two", "Two", Column(), grid)]
    row = compete(both, [LOW], trial, seed=0)
    assert len(Column.fits) == 3
    assert row["one_0_0.1_pauc"] == row["two_0_0.1_pauc"]


def test_final_rows_of_the_trial_are_those_of_the_last_training(trial):
    shorter = Trial(trial.split, trial.validation, np.arange(12))
    compete([Contender("one", "One", Column())], [LOW], shorter, seed=0)
    assert [fit[2] for fit in Column.fits] == [12]


def test_what_is_not_installed_has_empty_columns(trial):
    row = compete([Contender("gone", "Gone", None, options(rate=[1, 2]))], [LOW], trial, seed=0)
    assert np.isnan(row["gone_0_0.1_pauc"])
    assert np.isnan(row["gone_0_0.1_fit_seconds"])
    assert row["gone_0_0.1_choice"] == ""


def test_an_ensemble_is_judged_with_its_first_trees(trial):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    y = (X[:, 0] + X[:, 1] + rng.normal(size=200) > 0).astype(int)
    sizes = (2, 5)
    judgements = [Judgement((0.0, 1.0), n_trees) for n_trees in sizes]
    staged = Contender("staged", "Staged", AdaBoostTreesClassifier(5))
    refitted = Contender("refitted", "Refitted", AdaBoostTreesClassifier(5), staged=False)
    row = compete(
        [staged, refitted], judgements, Trial(Split(X[:100], y[:100], X[100:], y[100:]), ()), seed=0
    )
    for n_trees in sizes:
        assert row[f"staged_0_1_{n_trees}_pauc"] == row[f"refitted_0_1_{n_trees}_pauc"]
    assert row["staged_0_1_2_pauc"] != row["staged_0_1_5_pauc"]


def test_scores_of_an_ensemble_that_stopped_early_are_its_last():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    model = AdaBoostTreesClassifier(50).fit(X, [0, 0, 1, 1])
    assert len(model.estimators_) < 50
    for scores in scores_at(model, X, [50, None]):
        np.testing.assert_allclose(scores, model.decision_function(X))


def test_scores_of_lightgbm_are_of_the_trees_asked_for():
    lightgbm = pytest.importorskip("lightgbm")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 3))
    y = (X[:, 0] > 0).astype(int)
    model, smaller = (
        lightgbm.LGBMClassifier(n_estimators=n_trees, verbose=-1, n_jobs=1).fit(X, y) for n_trees in (9, 4)
    )
    few, all_trees = scores_at(model, X, [4, None])
    np.testing.assert_allclose(few, smaller.booster_.predict(X, raw_score=True))
    np.testing.assert_allclose(all_trees, model.booster_.predict(X, raw_score=True))


def test_validation_rows_are_stratified_and_drawn_by_the_seed():
    y = np.repeat([0, 1], [40, 20])
    ((fit, judge),) = hold_out(y, 0.25, seed=3)
    assert np.bincount(y[judge]).tolist() == [10, 5]
    assert sorted([*fit, *judge]) == list(range(60))
    folds = cross_validation(y, 4, seed=3)
    assert [np.bincount(y[judge]).tolist() for _, judge in folds] == [[10, 5]] * 4
    np.testing.assert_array_equal(hold_out(y, 0.25, seed=3)[0][1], judge)
    assert set(hold_out(y, 0.25, seed=4)[0][1]) != set(judge)
