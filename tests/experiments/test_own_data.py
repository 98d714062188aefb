"""A user's own data: honest folds, missing rows, groups, the model, and what is said about unusable data."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.metrics import balanced_accuracy_score
from sklearn.svm import SVC

from experiments.toy_experiment import Recorder
from widemargin.datasets import DatasetError, make_privileged_classification
from widemargin.experiments import Settings, own_data, own_data_methods, run_experiment
from widemargin.experiments.own_data import (
    OwnData,
    OwnDataOptions,
    own_data_experiment,
    train_model,
)
from widemargin.experiments.own_data_methods import FOLD_COLUMNS, METHODS, Choices, compare_on_fold, train
from widemargin.experiments.own_data_samples import split_stratified

QUICK = OwnDataOptions(n_folds=2, grid=(0.1, 10.0))
CHOICES = Choices(n_inner_folds=2, grid=(0.1, 10.0))


def toy(n_samples=40, n_features=6, **options):
    X, y, X_privileged = make_privileged_classification(
        n_samples, n_features, random_state=0, privileged="clean", **options
    )
    return OwnData(X, X_privileged, y)


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
    assert different <= {"reference_score", "reference_one_answer"}


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


def test_balanced_accuracy_balances_training():
    """Classes of 180 and 20 that overlap: without weights every sample gets the label of the large one."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [180, 20])
    X = rng.normal(size=(200, 2)) + y[:, np.newaxis]
    train_rows, test_rows = split_stratified(y, np.ones(200, bool), 2, seed=0)[0]
    rows = {
        scoring: compare_on_fold(X, X, y, train_rows, test_rows, replace(CHOICES, scoring=scoring), 0)
        for scoring in ("accuracy", "balanced_accuracy")
    }
    assert rows["accuracy"]["svm_one_answer"] == 1
    assert all(rows["balanced_accuracy"][f"{method.key}_one_answer"] == 0 for method in METHODS[:2])
    other = SVC(kernel="linear", class_weight="balanced").fit(X[train_rows], y[train_rows])
    expected = balanced_accuracy_score(y[test_rows], other.predict(X[test_rows]))
    # One of the ten test samples of the small class is 0.05.
    assert rows["balanced_accuracy"]["svm_score"] == pytest.approx(expected, abs=0.1)
    assert expected > 0.65


def test_samples_without_privileged_features_train_the_methods_and_not_the_reference():
    data = toy()
    X_privileged = data.X_privileged.copy()
    missing = np.array([1, 4, 7, 30, 33])
    X_privileged[missing] = np.nan
    train_rows, test_rows = np.arange(30), np.arange(30, 40)
    row = compare_on_fold(data.X, X_privileged, data.y, train_rows, test_rows, CHOICES, 0)
    assert (row["n_test"], row["n_test_privileged"]) == (10, 8)
    kept = np.setdiff1d(np.arange(40), missing)
    alone = compare_on_fold(
        data.X[kept], X_privileged[kept], data.y[kept], np.arange(27), np.arange(27, 35), CHOICES, 0
    )
    assert row["reference_score"] == alone["reference_score"]
    assert row["reference_C"] == alone["reference_C"]
    # The plain SVM learns from all samples.
    complete = compare_on_fold(data.X, data.X_privileged, data.y, train_rows, test_rows, CHOICES, 0)
    assert 8 * row["svm_where_privileged_score"] <= 10 * row["svm_score"]
    assert complete["svm_where_privileged_score"] == complete["svm_score"]


@pytest.mark.parametrize("scale", ["standard", "max", "l1", "l2", "none"])
def test_a_comparison_and_a_model_with_missing_rows(scale, tmp_path):
    data = toy()
    data.X_privileged[::4] = np.nan
    experiment = own_data_experiment(data, replace(QUICK, scale=scale))
    outcome = run_experiment(experiment, Settings(0, 1), tmp_path, observer=Recorder())
    assert outcome.record.status == "complete", outcome.record.message
    assert "10 samples have none" in outcome.record.protocol["X*"]
    assert "30 of 40 samples have privileged features" in " ".join(outcome.record.summary.findings)
    assert sum(row["n_test_privileged"] for row in outcome.rows["folds"]) == 30
    for key in ("margin_transfer", "svm_plus"):
        assert train_model(data, replace(QUICK, scale=scale), key, 0).predict(data.X).shape == (40,)


def test_folds_share_out_classes_and_missing_rows():
    y = np.repeat([0, 1], [60, 20])
    present = np.arange(80) % 4 != 0
    for _, test in split_stratified(y, present, 5, seed=0):
        assert [np.count_nonzero(y[test] == label) for label in (0, 1)] == [12, 4]
        assert np.count_nonzero(present[test]) == 12


@pytest.mark.parametrize("pure", [True, False])
def test_rows_of_a_group_stay_together(pure):
    """Groups of four: all of one class, or of both."""
    y = np.repeat([0, 1], 40) if pure else np.arange(80) % 2
    groups = np.arange(80) // 4
    folds = split_stratified(y, np.ones(80, bool), 5, 0, groups)
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(80))
    for train_rows, test_rows in folds:
        assert not set(groups[train_rows]) & set(groups[test_rows])
        assert np.unique(y[test_rows], return_counts=True)[1].tolist() == [8, 8]


def test_groups_reach_the_inner_folds(monkeypatch):
    """Every sample stands four times: without groups, a test part of a division holds copies of its training part."""
    data = toy(n_samples=24, n_features=3)
    rows = np.repeat(np.arange(24), 4)
    data = OwnData(data.X[rows], data.X_privileged[rows], data.y[rows], groups=rows)
    seen = []

    def watched(y, present, n_folds, seed, groups=None):
        folds = split_stratified(y, present, n_folds, seed, groups)
        seen.extend(len(set(groups[train]) & set(groups[test])) for train, test in folds)
        return folds

    monkeypatch.setattr(own_data, "split_stratified", watched)
    monkeypatch.setattr(own_data_methods, "split_stratified", watched)
    experiment = own_data_experiment(data, QUICK)
    settings = Settings(0, 1)
    assert "24 groups of samples" in experiment.protocol(settings)["groups"]
    experiment.run(experiment.units(settings)[0], settings)
    train_model(data, QUICK, "margin_transfer", 0)
    # The outer division, and for each of the four methods and the model an inner one of at least two folds.
    assert len(seen) >= 2 + 5 * 2
    assert set(seen) == {0}


def test_groups_that_cannot_be_divided():
    y = np.repeat([0, 1], 20)
    with pytest.raises(DatasetError, match="labels has 1 group of the class 0, and 5 folds need at least 5"):
        own_data_experiment(replace(toy(), y=y, groups=y))
    with pytest.raises(DatasetError, match="X has 40 rows, groups has 39"):
        own_data_experiment(replace(toy(), y=y, groups=np.zeros(39)))
    with pytest.raises(DatasetError, match="the groups cannot be divided into 2 folds"):
        split_stratified(y, np.ones(40, bool), 2, 0, groups=y)


def test_chosen_parameters_are_written_short():
    """Divided by a mean squared length of 5, 0.1 and 10 are 0.02 and 2, not 0.020000000000000004."""
    data = toy()
    X = np.where(np.arange(40)[:, np.newaxis] % 2, 1.0, -1.0) * np.ones(5) * np.sqrt(1.0)
    search = train("svm", X, data.X_privileged, data.y, CHOICES, 0)
    assert sorted({point["C"] for point in search.cv_results_["params"]}) == [0.02, 2.0]


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
            {"X_privileged": np.where(np.arange(40)[:, np.newaxis] < 4, 1.0, np.nan), "y": np.arange(40) % 2},
            {},
            r"labels has 2 samples of the class 0 with a row in X\*, and 5 folds need at least 5 of every class",
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
