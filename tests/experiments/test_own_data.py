"""A user's own data: the answer from hand-made folds, honest folds, and what is said about unusable data."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from experiments.toy_experiment import Recorder
from widemargin.datasets import DatasetError, make_privileged_classification
from widemargin.experiments import Settings, run_experiment
from widemargin.experiments.own_data import (
    OwnData,
    OwnDataOptions,
    choose_method,
    own_data_experiment,
    train_model,
)
from widemargin.experiments.own_data_answer import HELPS, HURTS, UNCLEAR, Answers
from widemargin.experiments.own_data_methods import FOLD_COLUMNS, METHODS, Choices, compare_on_fold
from widemargin.experiments.own_data_summary import LabelCounts, summarise_folds

QUICK = OwnDataOptions(n_folds=2, grid=(0.1, 10.0))
CHOICES = Choices(n_inner_folds=2, grid=(0.1, 10.0))


def toy(n_samples=40, n_features=6, **options):
    X, y, X_privileged = make_privileged_classification(
        n_samples, n_features, random_state=0, privileged="clean", **options
    )
    return OwnData(X, X_privileged, y)


def hand_made_rows(gains, n_folds=20, wiggle=0.01, **changes):
    """Folds on which the SVM scores 0.7 and each method `gains` more, up and down by `wiggle`."""
    rows = []
    for fold in range(n_folds):
        row = dict.fromkeys(FOLD_COLUMNS, 0) | {f"{method.key}_score": 0.7 for method in METHODS}
        row |= {"most_frequent_score": 0.5, "n_train": 80, "n_test": 20} | changes
        for key, gain in gains.items():
            row[f"{key}_score"] += gain + wiggle * (-1) ** fold
        rows.append(row)
    return rows


def verdicts(rows):
    return [answer.verdict for answer in Answers.from_rows(rows).competitors]


@pytest.mark.parametrize(
    ("margin_transfer", "svm_plus", "expected", "start", "best"),
    [
        (0.03, 0.02, [HELPS, HELPS], "Yes, it helps: Margin Transfer is better", "margin_transfer"),
        (-0.03, 0.02, [HURTS, HELPS], "Yes, it helps: SVM+ is better", "svm_plus"),
        (0.001, 0.02, [UNCLEAR, HELPS], "Yes, it helps: SVM+ is better", "svm_plus"),
        (
            0.001,
            0.0,
            [UNCLEAR, UNCLEAR],
            "No clear difference: against a plain SVM, Margin Transfer +0.1",
            "svm",
        ),
        (0.001, -0.02, [UNCLEAR, HURTS], "No clear gain: Margin Transfer makes no clear difference", "svm"),
        (-0.03, -0.02, [HURTS, HURTS], "No, it hurts: SVM+ is worse", "svm"),
    ],
)
def test_verdicts(margin_transfer, svm_plus, expected, start, best):
    rows = hand_made_rows({"margin_transfer": margin_transfer, "svm_plus": svm_plus})
    assert verdicts(rows) == expected
    assert Answers.from_rows(rows).sentence("accuracy").startswith(start)
    assert choose_method({"folds": rows}).key == best


def test_the_sentence_says_by_how_much_and_how_sure():
    # Differences of 1 and 3 points in turn: mean 2, s^2 = 20/19, factor 1/20 + 20/80; t_19 at 0.975 is 2.0930.
    half = 2.0930 * np.sqrt(20 / 19 * 0.3)
    rows = hand_made_rows({"svm_plus": 0.02, "margin_transfer": 0.0})
    assert (
        f"SVM+ is better than a plain SVM by 2.0 points of accuracy (95 % interval +{2 - half:.1f} to "
        f"+{2 + half:.1f})." in Answers.from_rows(rows).sentence("accuracy")
    )


def test_wilcoxon_alone_is_no_verdict():
    """Twenty small gains out of twenty: the signed-rank test takes them for independent."""
    rows = hand_made_rows({"svm_plus": 0.02, "margin_transfer": 0.0}, wiggle=0.018)
    answer = Answers.from_rows(rows).competitors[1]
    assert answer.wilcoxon_p_value < 0.01
    assert answer.verdict == UNCLEAR


def test_an_interval_that_misses_zero_is_no_verdict_after_two_tries():
    rows = hand_made_rows({"svm_plus": 0.02, "margin_transfer": 0.0}, wiggle=0.0165)
    answer = Answers.from_rows(rows).competitors[1]
    assert answer.interval.low > 0
    assert answer.verdict == UNCLEAR
    findings = summarise_folds(rows, CHOICES, LabelCounts("a", 0.5)).findings
    assert any("by itself leaves out zero, but two methods were tried" in finding for finding in findings)


def test_six_folds_are_too_few():
    rows = hand_made_rows({"svm_plus": 0.2, "margin_transfer": 0.2}, n_folds=6)
    assert verdicts(rows) == [UNCLEAR, UNCLEAR]
    assert "6 folds are too few" in summarise_folds(rows, CHOICES, LabelCounts("a", 0.5)).findings[0]
    assert verdicts(hand_made_rows({"svm_plus": 0.2, "margin_transfer": 0.2}, n_folds=7)) == [HELPS, HELPS]


@pytest.mark.parametrize(
    ("rows", "labels", "expected"),
    [
        ({"gains": {"svm_plus": -0.02}}, ("a", 0.5), "The plain SVM has the highest mean score of the three"),
        ({"gains": {}, "svm_plus_collapsed": 1}, ("a", 0.5), "SVM+ collapsed in 20 of 20 folds"),
        ({"gains": {}, "n_missed_tolerance": 2}, ("a", 0.5), "40 fits stopped before they reached"),
        (
            {"gains": {}, "n_test": 8},
            ("a", 0.5),
            "Each fold tests about 8 samples, so that one sample more or less",
        ),
        ({"gains": {"reference": -0.02}}, ("a", 0.5), "so there may be little to transfer"),
        ({"gains": {"reference": 0.05}}, ("a", 0.5), "so there is something to transfer"),
        ({"gains": {}}, ("a", 0.9), "90 % of the labels are 'a'"),
        ({"gains": {}, "most_frequent_score": 0.7}, ("a", 0.5), "no method is clearly better than that"),
    ],
)
def test_findings(rows, labels, expected):
    findings = summarise_folds(hand_made_rows(**rows), CHOICES, LabelCounts(*labels)).findings
    assert any(expected in finding for finding in findings), findings


def test_one_fold_has_no_interval():
    summary = summarise_folds(hand_made_rows({"svm_plus": 0.1}, n_folds=1), CHOICES, LabelCounts("a", 0.5))
    assert "one fold, which gives no interval" in summary.verdict
    assert "inf" not in str(summary)


def test_a_run_from_end_to_end(tmp_path):
    data = replace(
        toy(), y=np.array(["cat", "dog"])[toy().y], X_name="pixels.csv", X_privileged_name="words.csv"
    )
    outcome = run_experiment(own_data_experiment(data, QUICK), Settings(0, 2), tmp_path, observer=Recorder())
    record = outcome.record
    assert record.status == "complete", record.message
    assert record.message == "Rests on 2 of 2 repeats of every fold."
    assert (
        record.question == "Does words.csv, known in training only, make a better classifier of pixels.csv?"
    )
    (table,) = record.summary.tables
    names = [row[0].text for row in table.rows]
    assert names[0] in ("always 'cat'", "always 'dog'")
    assert names[1:] == [method.name for method in METHODS]
    assert [figure.svg for figure in record.figures] == ["figures/differences-by-fold.svg"]
    assert [row["n_test"] for row in outcome.rows["folds"]] == [20] * 4


def test_every_sample_is_tested_once_a_repeat_and_repeats_differ():
    data = toy(n_samples=23)
    experiment = own_data_experiment(data, replace(QUICK, n_folds=3))
    settings = Settings(0, 2)
    units = experiment.units(settings)
    assert [(unit.task, unit.repeat) for unit in units[:4]] == [
        ("fold 1", 0),
        ("fold 2", 0),
        ("fold 3", 0),
        ("fold 1", 1),
    ]
    rows = [experiment.run(unit, settings) for unit in units]
    assert sum(row["n_test"] for row in rows[:3]) == sum(row["n_test"] for row in rows[3:]) == 23
    assert [row["svm_score"] for row in rows[:3]] != [row["svm_score"] for row in rows[3:]]
    assert rows[0] == experiment.run(units[0], settings)


def test_nothing_of_the_test_part_reaches_training():
    data = toy()
    train, test = np.arange(30), np.arange(30, 40)
    row = compare_on_fold(data.X, data.X_privileged, data.y, train, test, CHOICES, 0)
    strange = data.X_privileged.copy()
    strange[test] = 1e6
    other = compare_on_fold(data.X, strange, data.y, train, test, CHOICES, 0)
    # Only the reference looks at privileged features of test samples.
    different = {name for name in FOLD_COLUMNS if row[name] != other[name]}
    assert different <= {"reference_score"}


def test_chosen_parameters_have_the_unit_of_the_features():
    """Features a thousand times as large choose a C a millionth as large, and predict the same."""
    data = toy()
    train, test = np.arange(30), np.arange(30, 40)
    choices = replace(CHOICES, scale="none", privileged_scale="none")
    row = compare_on_fold(data.X, data.X_privileged, data.y, train, test, choices, 0)
    scaled = compare_on_fold(1000 * data.X, 10 * data.X_privileged, data.y, train, test, choices, 0)
    for method in METHODS:
        assert scaled[f"{method.key}_score"] == row[f"{method.key}_score"]
    assert scaled["svm_C"] == pytest.approx(1e-6 * row["svm_C"], rel=1e-9)
    assert scaled["reference_C"] == pytest.approx(1e-2 * row["reference_C"], rel=1e-9)
    assert scaled["svm_plus_privileged_alpha"] == pytest.approx(
        1e-4 * row["svm_plus_privileged_alpha"], rel=1e-9
    )


@pytest.mark.parametrize("scale", ["max", "l1", "l2", "none"])
def test_sparse_features_give_the_scores_of_dense_ones(scale):
    data = toy()
    X, X_privileged = (np.where(np.abs(values) > 0.5, values, 0.0) for values in (data.X, data.X_privileged))
    X[3] = 0.0
    choices = replace(CHOICES, scale=scale, privileged_scale=scale)
    arguments = (data.y, np.arange(30), np.arange(30, 40), choices, 0)
    dense = compare_on_fold(X, X_privileged, *arguments)
    sparse = compare_on_fold(csr_matrix(X), csr_matrix(X_privileged), *arguments)
    scores = [f"{method.key}_score" for method in METHODS]
    assert [dense[name] for name in scores] == [sparse[name] for name in scores]


@pytest.mark.parametrize(
    "choices",
    [CHOICES, replace(CHOICES, kernel="rbf"), replace(CHOICES, scoring="balanced_accuracy")],
    ids=["linear", "rbf", "balanced"],
)
def test_three_classes_and_more_columns_than_rows(choices):
    rng = np.random.default_rng(0)
    y = np.repeat(["x", "y", "z"], 10)
    X = rng.normal(size=(30, 50))
    X[:, 0] += 9 * np.repeat([0, 1, 2], 10)
    X[:, 1] = 7.0
    rows = rng.permutation(30)
    row = compare_on_fold(X, X[:, :2], y, rows[:20], rows[20:], choices, 0)
    assert all(0 <= row[f"{method.key}_score"] <= 1 for method in METHODS)
    # The first column alone tells three levels apart; one-versus-rest finds the outer two even with a linear kernel.
    assert row["reference_score"] > row["most_frequent_score"]


def test_balanced_accuracy_of_the_most_frequent_label_is_chance():
    data = toy()
    y = (np.arange(40) % 4 == 0).astype(int)
    choices = replace(CHOICES, scoring="balanced_accuracy")
    row = compare_on_fold(data.X, data.X_privileged, y, np.arange(20), np.arange(20, 40), choices, 0)
    assert row["most_frequent_score"] == 0.5


def test_the_model_takes_raw_features_and_gives_labels():
    data = toy(n_samples=60, noise=0.1)
    labels = np.array(["cat", "dog"])[data.y]
    for key in ("svm", "margin_transfer", "svm_plus"):
        model = train_model(replace(data, y=labels), QUICK, key, seed=0)
        assert set(model.predict(data.X)) <= {"cat", "dog"}
        assert key == "svm_plus" or np.mean(model.predict(data.X) == labels) > 0.9


@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ({"X_privileged": np.zeros((39, 2))}, {}, r"X has 40 rows, X\* has 39: give one row for each sample"),
        ({"y": np.zeros(39)}, {}, "X has 40 rows, labels has 39"),
        ({"y": np.zeros(40, int)}, {}, "labels has one class, 0: a classifier needs samples of at least two"),
        (
            {"y": np.r_[np.zeros(37), np.ones(3)].astype(int)},
            {},
            "3 samples of the class 1, and 5 folds need at least 5 of every class: choose 3 folds, give more samples",
        ),
        (
            {"y": np.r_[np.zeros(39), np.ones(1)].astype(int)},
            {},
            "1 sample of the class 1, and 5 folds need at least 5 of every class: give more samples of it",
        ),
        (
            {"y": np.r_[np.zeros(37), np.ones(3)].astype(int)},
            {"n_folds": 2},
            "2 folds need at least 4 of every class: choose 3 folds, give",
        ),
        (
            {"X": csr_matrix(np.eye(40))},
            {"scale": "standard"},
            "X is sparse, and the scale 'standard' would fill",
        ),
    ],
)
def test_unusable_data(changes, options, message):
    with pytest.raises(DatasetError, match=message):
        own_data_experiment(replace(toy(), **changes), OwnDataOptions(**options))


def test_every_option_and_every_number_is_in_the_protocol():
    data = toy()

    def protocol(data, options=QUICK):
        return own_data_experiment(data, options).protocol(Settings())

    original = protocol(data)
    assert original == protocol(toy())
    changed = data.X.copy()
    changed[0, 0] += 1e-9
    others = [
        protocol(replace(data, X=changed)),
        protocol(replace(data, X_privileged=changed)),
        protocol(replace(data, y=1 - data.y)),
        protocol(replace(data, X=csr_matrix(data.X))),
        *(
            protocol(data, replace(QUICK, **{name: value}))
            for name, value in {
                "n_folds": 3,
                "kernel": "rbf",
                "scale": "max",
                "scoring": "balanced_accuracy",
                "grid": (1.0,),
            }.items()
        ),
    ]
    assert original not in others


def test_the_identity_of_a_sparse_matrix_does_not_depend_on_its_layout():
    X = csr_matrix(np.array([[1.0, 2.0], [0.0, 3.0]] * 20))
    shuffled = X.copy()
    shuffled.indices[:2] = [1, 0]
    shuffled.data[:2] = [2.0, 1.0]
    shuffled.has_sorted_indices = False
    data = toy()
    first, second = (
        own_data_experiment(replace(data, X=values), QUICK).protocol(Settings())["X"]
        for values in (X, shuffled)
    )
    assert first == second
