"""Web images with text: the tasks, the printed tables, what is claimed of them, and a small run on a generated file."""

from dataclasses import replace

import numpy as np
import pytest

from experiments.benchmark_files import web_queries_arrays, write_web_queries
from experiments.toy_experiment import Recorder
from widemargin.datasets import DatasetError, load_web_queries
from widemargin.experiments import EXPERIMENTS, Settings, run_experiment
from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.printed_tables import printed_table
from widemargin.experiments.privileged_comparison import METHODS
from widemargin.experiments.webqueries import WebQueriesProtocol, webqueries_experiment
from widemargin.experiments.webqueries_claims import compare_with_texts
from widemargin.experiments.webqueries_printed import (
    mean_gain,
    printed_multiclass,
    printed_pairs,
)
from widemargin.experiments.webqueries_results import summarise
from widemargin.experiments.webqueries_tasks import (
    MULTICLASS,
    PAIRS,
    PER_QUERY,
    POOLED,
    draw_halves,
    list_tasks,
    prepare_images,
    query_names,
)

TINY = WebQueriesProtocol(
    n_queries=3, n_train_pooled=8, n_test_pooled=10, n_train_relevant=5, grid=(0.1, 10.0), n_folds=2
)


@pytest.fixture
def settings(tmp_path):
    write_web_queries(tmp_path / "data")
    return Settings(repeats=2, data=tmp_path / "data")


@pytest.fixture
def images(settings):
    return prepare_images(load_web_queries(settings.data))


def study_of(gains, level=0.8, tasks=("a versus b",)):
    """A study in which each method is the given gain (in points, one a repeat) above the SVM on every task."""
    rows = []
    for task in tasks:
        for repeat in range(len(next(iter(gains.values())))):
            accuracies = {
                method.key: level + gains.get(method.key, [0] * (repeat + 1))[repeat] / 100
                for method in METHODS
            }
            rows.append({"task": task} | {f"{key}_accuracy": value for key, value in accuracies.items()})
    return AccuracyStudy.from_rows(rows, METHODS)


def test_images_without_text_are_left_out_and_rows_have_unit_length(images):
    assert images.n_without_text == 4
    assert images.class_sizes.tolist() == [[7, 8]] * 4
    for rows in (images.X, images.X_privileged):
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-12)
    assert images.n_copies == 0


def test_copies_of_images_are_counted(tmp_path):
    arrays = web_queries_arrays()
    first_row = slice(*arrays["image_indptr"][[1, 2]])
    n_same = first_row.stop - first_row.start
    replacements = {
        "image_data": np.tile(arrays["image_data"][first_row], 64),
        "image_indices": np.tile(arrays["image_indices"][first_row], 64),
        "image_indptr": n_same * np.arange(65),
    }
    write_web_queries(tmp_path, replacements)
    assert prepare_images(load_web_queries(tmp_path)).n_copies == 59


def test_queries_are_named_by_their_most_typical_words(images):
    # Every query has its own word in all of its texts.
    firsts = [name.split(" ")[0] for name in images.names]
    assert firsts == ["eagle", "falcon", "heron", "ibis"]
    assert [name.split(" ")[-1] for name in images.names] == ["(10)", "(11)", "(12)", "(13)"]


def test_the_queries_with_most_relevant_images_stand_against_each_other(images):
    fewer = replace(images, relevant=np.where(images.query == 1, 0, images.relevant))
    assert fewer.most_relevant(3) == [0, 2, 3]
    pairs = [task for task in list_tasks(fewer, 3, 4) if task.table == PAIRS]
    assert [task.queries for task in pairs] == [(0, 2), (0, 3), (2, 3)]
    assert all(query_names(task.name) == tuple(images.names[k] for k in task.queries) for task in pairs)


@pytest.mark.parametrize("first", ["a) versus (3)", "(1) versus (3)", "x (1) (-3)", " (3)"])
def test_a_pair_is_taken_apart_whatever_the_words(first):
    assert query_names(f"{first} versus (2) versus (4)") == (first, "(2) versus (4)")


def test_labels_say_relevance_or_query(images):
    tasks = {task.table: task for task in list_tasks(images, 3, 4)}
    np.testing.assert_array_equal(tasks[POOLED].labels(images), images.relevant)
    own = images.query == 3  # the last task of its kind
    np.testing.assert_array_equal(tasks[PER_QUERY].labels(images), np.where(own, images.relevant, -1))
    shown = images.relevant == 1
    for table, queries in ((PAIRS, (1, 2)), (MULTICLASS, (0, 1, 2))):
        takes_part = shown & np.isin(images.query, queries)
        np.testing.assert_array_equal(tasks[table].labels(images), np.where(takes_part, images.query, -1))


def test_halves_are_drawn_class_by_class():
    y = np.array([0] * 7 + [-1] * 5 + [1] * 4)
    train, test = draw_halves(y, seed=3)
    assert np.bincount(y[train]).tolist() == [4, 2]
    assert np.bincount(y[test]).tolist() == [3, 2]
    np.testing.assert_array_equal(np.sort(np.r_[train, test]), np.flatnonzero(y >= 0))
    assert not np.array_equal(train, draw_halves(y, seed=4)[0])


def test_the_printed_tables_have_the_wins_that_they_print_in_bold():
    pairs, multiclass = printed_pairs(), printed_multiclass()
    assert [line.group for line in pairs] == ["Table 4"] * 3 + ["Table 5"] * 6
    wins = [sum(key in line.best for line in pairs) for key in ("svm", "margin_transfer", "svm_plus")]
    assert wins == [3, 5, 1]
    assert all(line.best == {"margin_transfer"} for line in multiclass)
    assert all(line.mean["reference"] > line.mean["svm"] for line in (*pairs, *multiclass))
    assert all(0 < error < 1 for line in (*pairs, *multiclass) for error in line.standard_error.values())
    assert mean_gain(pairs, "margin_transfer") == pytest.approx(0.03, abs=0.005)
    assert mean_gain(pairs[3:], "svm_plus") == pytest.approx(-0.75, abs=0.005)
    table = printed_table(pairs, METHODS, "printed", "As printed", "")
    assert [cell.text for cell in table.rows[0]] == [
        "nature versus religion (Table 4)",
        "81.01 ± 0.49",
        "81.15 ± 0.51",
        "81.08 ± 0.50",
        "84.52 ± 0.47",
    ]
    assert [cell.text for cell in table.totals[1]] == ["best on", "3", "5", "1", "–"]


@pytest.mark.parametrize(
    ("gains", "answer"),
    [
        ([0.1, 0.2, 0.1, 0.2], "agrees"),
        ([3.1, 3.2, 3.1, 3.2], "disagrees"),
        ([-3.1, -3.2, -3.1, -3.2], "disagrees"),
        ([-4.0, 4.0, -4.0, 4.0], "not clear"),
        ([0.0], "not clear"),
    ],
)
def test_near_equal_is_claimed_only_where_the_interval_is_narrow(gains, answer):
    study = study_of({"margin_transfer": gains})
    line = compare_with_texts({"Somewhere": study}, None, None)[0]
    assert line.statement == "Somewhere: Margin Transfer is near equal to the SVM"
    assert (line.answer, line.difference) == (answer, "")


def test_a_ceiling_is_no_agreement():
    tasks = [f"query {k}" for k in range(6)]

    def line_of(*accuracies):
        rows = [
            {"task": task} | {f"{method.key}_accuracy": values.get(method.key, 0.8) for method in METHODS}
            for task, values in zip(tasks, accuracies, strict=True)
        ]
        return compare_with_texts({"Somewhere": AccuracyStudy.from_rows(rows, METHODS)}, None, None)[0]

    near = {"svm": 0.8, "margin_transfer": 0.802}
    tied = {"svm": 0.8, "margin_transfer": 0.8}
    saturated = {"svm": 0.996, "margin_transfer": 0.995}
    assert line_of(near, near, near, near, tied, saturated).answer == "agrees"
    # Half of the tasks are no majority.
    assert line_of(near, near, near, tied, tied, saturated).answer == "agrees"
    line = line_of(near, near, tied, tied, tied, saturated)
    assert line.answer == "not clear"
    assert line.sentence.endswith(
        "But on 4 of 6 tasks the two are tied (3) or the SVM has 99.5 % or more (1): tasks with nothing to gain "
        "are no evidence."
    )
    # Of one task the repeats are counted.
    assert compare_with_texts({"One": study_of({"svm_plus": [0.1] * 4})}, None, None)[0].answer == "not clear"
    assert compare_with_texts({"One": study_of({"svm_plus": [0.1] * 4})}, None, None)[1].answer == "agrees"


def test_sides_are_compared_by_tests():
    tasks = [f"query {k}" for k in range(8)]
    words_tell_more = study_of({"reference": [5.0], "margin_transfer": [1.0], "svm_plus": [1.0]}, tasks=tasks)
    lines = {line.statement: line for line in compare_with_texts({}, words_tell_more, words_tell_more)}
    reference = lines["Pairs: the SVM on X* is above the SVM on X"]
    assert (reference.paper, reference.ours, reference.difference) == ("9 of 9", "8 of 8", "")
    answers = {method.key: lines[f"Many classes: accuracy of {method.name}, %"].answer for method in METHODS}
    assert answers == {
        "svm": "no answer",
        "margin_transfer": "agrees",
        "svm_plus": "disagrees",
        "reference": "agrees",
    }
    assert lines["Many classes: accuracy of SVM+, %"].paper == "66.41"
    one_repeat = study_of({"reference": [5.0]})
    assert compare_with_texts({}, one_repeat, None)[0].answer == "not clear"


def test_tasks_that_leave_nothing_to_gain_are_counted():
    rows = [
        {"task": task, "tau": 0.5, "tau_within_class": 0.0}
        | {f"{method.key}_accuracy": accuracy for method in METHODS}
        for task, accuracy in (("a (1) versus b (2)", 1.0), ("a (1) versus c (3)", 0.9))
    ]
    findings = summarise({PAIRS: rows}, Settings()).findings
    assert (
        "Query against query: the SVM on images has 99.5 % or more on 1 of 2 tasks, where there is next to "
        in (" ".join(findings))
    )


def test_a_small_run_from_end_to_end(tmp_path, settings):
    outcome = run_experiment(webqueries_experiment(TINY), settings, tmp_path / "out", observer=Recorder())
    record = outcome.record
    assert record.status == "complete", record.message
    assert [table.name for table in record.summary.tables] == [
        "pooled",
        "per_query",
        "pairs",
        "printed_pairs",
        "multiclass",
        "printed_multiclass",
    ]
    assert [len(table.rows) for table in record.summary.tables] == [1, 4, 3, 9, 1, 2]
    assert [figure.svg.removeprefix("figures/") for figure in record.figures] == [
        "per-query-difference-margin-transfer-svm.svg",
        "per-query-difference-svm-plus-svm.svg",
        "pairs-difference-margin-transfer-svm.svg",
        "pairs-difference-svm-plus-svm.svg",
        "pairs-difference-margin-transfer-svm-plus.svg",
        "advantage-margin-transfer.svg",
        "advantage-svm-plus.svg",
        "tau.svg",
    ]
    assert len(record.summary.comparisons) == 11
    assert "60 images of 4 queries" in record.protocol["data"]
    assert record.protocol["images without text"].startswith("4 left out")
    assert record.protocol["relevance query by query"].endswith("all 4 queries")
    pooled, per_query = (
        np.loadtxt(
            tmp_path / f"out/webqueries/{table}.csv", delimiter=",", skiprows=1, usecols=column, ndmin=1
        )
        for table, column in (("pooled", 12), ("per_query", 12))
    )
    assert pooled.tolist() == [20, 20]
    assert set(per_query) == {7}


def test_queries_with_too_few_images_are_skipped_and_named(tmp_path):
    relevant = web_queries_arrays()["relevant"]
    relevant[16:29] = 0
    write_web_queries(tmp_path, {"relevant": relevant})
    described = webqueries_experiment(TINY).protocol(Settings(data=tmp_path))["relevance query by query"]
    assert "3 queries, without falcon " in described
    assert "(11), with fewer than 4 images of a class" in described
    units = webqueries_experiment(TINY).units(Settings(data=tmp_path))
    assert [unit.table for unit in units] == [MULTICLASS, POOLED, *[PER_QUERY] * 3, *[PAIRS] * 3]


def test_folds_of_two_classes_are_drawn_five_times_in_a_full_run():
    protocol = WebQueriesProtocol()
    assert protocol.selection(PAIRS, 20, 0).folds.get_n_splits() == 25
    assert protocol.selection(PAIRS, 19, 0).folds.get_n_splits() == 5
    assert protocol.selection(MULTICLASS, 20, 0).folds.get_n_splits() == 5


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"n_train_pooled": 28}, "only 28 images of a class of relevance: more than 28 are needed"),
        ({"n_train_relevant": 8}, "only 0 queries with more than 8 relevant images: 3 are needed"),
        ({"n_queries": 5}, "only 4 queries with more than 5 relevant images: 5 are needed"),
        ({"n_folds": 4}, "no query with 8 relevant and as many irrelevant images"),
    ],
)
def test_too_few_images_stop_the_run_before_it_starts(settings, change, complaint):
    with pytest.raises(DatasetError, match=complaint):
        webqueries_experiment(replace(TINY, **change)).protocol(settings)


def test_the_whole_experiment():
    experiment = {e.name: e for e in EXPERIMENTS}["webqueries"]
    assert experiment.needs_data
    assert experiment.repeats.full == 20
    with pytest.raises(ValueError, match="needs benchmark data"):
        experiment.protocol(Settings())
