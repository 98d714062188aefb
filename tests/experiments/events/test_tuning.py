"""Parameters are chosen on training videos alone, and the last training is the one that a user would make."""

import warnings
from typing import ClassVar

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import average_precision_score, f1_score

from widemargin.events import NearlyIsotonicSVC
from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.events.bags import DetectionVideos, RecognitionVideos, Trial
from widemargin.experiments.events.findings import choices_table, unconverged_sentences, winner_sentences
from widemargin.experiments.events.leads import methods_of
from widemargin.experiments.events.methods import (
    Choices,
    Entrant,
    choices_words,
    configurations,
    logistic_regression,
    nearly_isotonic,
)
from widemargin.experiments.events.tuning import (
    MEAN_AP,
    attempt,
    attempt_all,
    result_columns,
    score_of,
    train,
)

CHOICES = Choices((1.0, 0.01), (0.1, 0.001), (0.01, 0.003), (1.0, 100.0))


@pytest.fixture(scope="module")
def trial():
    return Trial.drawn(*DetectionVideos(12, 36, n_test=60, n_shots=5, n_features=8).draw(0.1, 0), 3, 0)


class Recorder(NearlyIsotonicSVC):
    """Notes what it is trained with."""

    seen: ClassVar[list] = []

    def fit(self, X, y, saliency=None, sample_weight=None):
        Recorder.seen.append((self.alpha, len(X), self.warm_start))
        return super().fit(X, y, saliency, sample_weight)


def test_the_grid_is_tried_on_every_fold_and_the_choice_is_trained_on_all_videos(trial):
    Recorder.seen = []
    entrant = Entrant(
        "key", "name", "shots", "saliency", Recorder(isotonic_alpha=0.01), {"alpha": (0.1, 0.001)}
    )
    found = attempt(entrant, trial)
    assert Recorder.seen[:6] == [(0.1, 32, True), (0.001, 32, True)] * 3
    assert Recorder.seen[6:] == [(float(found.choice), 48, False)]


def test_the_score_is_that_of_a_model_that_a_user_would_train(trial):
    entrant = nearly_isotonic("key", "NI-SVM_2", "squared_hinge", "l2", CHOICES, norm=2)
    found = attempt(entrant, trial)
    alpha, isotonic_alpha = (float(value) for value in found.choice.split())
    model = clone(entrant.estimator).set_params(alpha=alpha, isotonic_alpha=isotonic_alpha)
    model.fit(trial.train.X, trial.train.y, saliency=trial.train.saliency)
    scores = model.decision_function(trial.test.X, saliency=trial.test.saliency)
    assert found.score == pytest.approx(average_precision_score(trial.test.y, scores))
    assert min(found.choosing_seconds, found.training_seconds, found.test_seconds) >= 0


def test_a_better_setting_is_chosen(trial):
    # Weights that are all zero rank nothing.
    entrant = Entrant(
        "key", "name", "shots", "saliency", NearlyIsotonicSVC(0.01, penalty="l1"), {"alpha": (100.0, 0.003)}
    )
    assert attempt(entrant, trial).choice == "0.003"


def test_several_events_are_judged_by_mean_f1():
    train_bags, test_bags = RecognitionVideos(3, n_train=8, n_test=10, n_shots=4, n_features=6).draw(0.1, 0)
    trial = Trial.drawn(train_bags, test_bags, 2, 0)
    found = attempt(configurations("squared_hinge", "l2", CHOICES)[5], trial)
    predicted = found.model.predict(test_bags.X, saliency=test_bags.saliency)
    assert found.score == pytest.approx(f1_score(test_bags.y, predicted, average="macro"))


def test_a_row_has_the_promised_columns(trial):
    entrants = (
        *configurations("squared", "l2", CHOICES)[:1],
        logistic_regression("logistic", "flat_average", "mean of the shots", CHOICES),
    )
    row = attempt_all(entrants, [trial, trial], MEAN_AP)
    assert {name: type(value) for name, value in row.items()} == result_columns(entrants, MEAN_AP)
    assert row["logistic_choices"].count("; ") == 1
    table = choices_table([row], entrants)
    assert [cell.text for cell in table.rows[1][:2]] == ["logistic regression", "mean of the shots"]
    assert "(2)" in table.rows[1][3].text


def test_where_no_variant_wins_it_is_said():
    entrants = configurations("squared", "l1", CHOICES)
    scores = [0.5, 0.4, 0.3, 0.2, 0.1, 0.45, 0.0]
    ahead = [0.5, 0.4, 0.3, 0.2, 0.1, 0.55, 0.0]
    tied = [0.5, 0.4, 0.3, 0.2, 0.1, 0.5, 0.0]
    rows = [
        {"task": task, "repeat": 0} | {f"{e.key}_map": v for e, v in zip(entrants, values, strict=True)}
        for task, values in (("no order", scores), ("exact order", ahead), ("tie", tied))
    ]
    study = AccuracyStudy.from_rows(rows, methods_of(entrants), MEAN_AP)
    assert winner_sentences(study, entrants) == [
        "No order: highest of all 7 methods is LS_A (mean of the shots, l1) with 50.0 %; no nearly-isotonic variant "
        "wins, the best of them is NI-LS_2 (shots by saliency, l1) with 45.0 %.",
        "Exact order: highest of all 7 methods is NI-LS_2 (shots by saliency, l1) with 55.0 %.",
        "Tie: highest of all 7 methods is LS_A (mean of the shots, l1) with 50.0 %; NI-LS_2 (shots by saliency, l1) "
        "reaches the same.",
    ]


def test_the_columns_differ_only_in_what_they_see_and_in_the_isotonic_penalty():
    columns = configurations("squared", "l1", CHOICES)
    assert [column.name for column in columns] == [
        "LS_A", "LS_M", "LS_T", "NI-LS_1", "NI-LS_1+", "NI-LS_2", "NI-LS_2+",
    ]  # fmt: skip
    shared = [
        {
            name: value
            for name, value in column.estimator.get_params().items()
            if name in ("loss", "penalty", "tol")
        }
        for column in columns
    ]
    assert all(parameters == shared[0] for parameters in shared)
    assert {column.estimator.isotonic_alpha for column in columns[:3]} == {0.0}
    assert [(c.estimator.norm, c.estimator.nonnegative) for c in columns[3:]] == [
        (1, False),
        (1, True),
        (2, False),
        (2, True),
    ]
    assert columns[0].grid == {"alpha": CHOICES.l1_alphas}
    assert choices_words(CHOICES) == "isotonic_alpha 1, 0.01; alpha 0.1, 0.001 for l2, 0.01, 0.003 for l1"


def test_a_pooled_video_is_a_video_of_one_shot(trial):
    average, *_ = configurations("squared_hinge", "l2", CHOICES)
    X, arguments = trial.seen(average.view, "train")
    model, _ = train(clone(average.estimator), X, trial.train.y, arguments)
    flat = NearlyIsotonicSVC(0.0, model.alpha, n_shots=1, tol=model.tol).fit(X[:, 0], trial.train.y)
    np.testing.assert_allclose(model.coef_, flat.coef_)


def test_what_does_not_converge_is_told_without_a_warning(trial):
    X, _ = trial.seen("saliency", "train")
    model = NearlyIsotonicSVC(0.01, 1e-5, max_iter=1, tol=1e-9)
    assert train(model, X, trial.train.y, {})[1] is False
    assert train(NearlyIsotonicSVC(0.01, 0.1, tol=0.01), X, trial.train.y, {})[1] is True
    sentence = "Of 20 last trainings 3 used up their iterations before they reached their tolerance."
    assert unconverged_sentences([{"unconverged": 1}, {"unconverged": 2}], 10) == [sentence]
    assert unconverged_sentences([{"unconverged": 0}], 10) == []


def test_other_warnings_are_passed_on(trial):
    X, _ = trial.seen("saliency", "train")
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        with pytest.warns(UserWarning, match="norm"):
            train(NearlyIsotonicSVC(0.01, 0.1, norm=2, order="increments"), X, trial.train.y, {})


def test_equal_scores_count_as_one_place():
    class Constant:
        classes_ = np.array([0, 1])

        def decision_function(self, X):
            return np.zeros(len(X))

    y = np.array([0, 0, 1, 0])
    assert score_of(Constant(), np.zeros((4, 1)), y, {}) == pytest.approx(0.25)
