"""People's scores: the printed table, draws, given margins, a small run on a generated file, and damaged files."""

import numpy as np
import pytest

from experiments.benchmark_files import SCORED, labelled_arrays, write_human_scores
from experiments.toy_experiment import Recorder
from widemargin.datasets import DatasetError, MissingDatasetError, load_human_scores
from widemargin.experiments import EXPERIMENTS, Settings, run_experiment
from widemargin.experiments.human_scores import (
    TABLE_7_METHODS,
    ScoresProtocol,
    draw_scored_split,
    human_scores_experiment,
)
from widemargin.experiments.human_scores_printed import compare_with_table_7, pair_task, printed_scores
from widemargin.experiments.model_selection import ModelSelection
from widemargin.privileged import MarginTransferSVC

TINY = ScoresProtocol(n_train=6, n_test=6, Cs=(1.0, 10.0), privileged_values=(0.1, 10.0), n_folds=2)


@pytest.fixture
def settings(tmp_path):
    write_human_scores(tmp_path / "data")
    return Settings(repeats=2, data=tmp_path / "data")


def printed_as_ours():
    """Rows with the printed means, and X and X* agreeing more than people do."""
    taus = {"tau": 0.6, "tau_human_decision": 0.5, "tau_human_privileged": 0.4}
    return [
        {"task": line.task} | taus | {f"{key}_accuracy": mean / 100 for key, mean in line.mean.items()}
        for line in printed_scores()
    ]


def test_the_printed_table_has_all_pairs_and_the_accuracies_of_table_1():
    lines = printed_scores()
    names = {name for line in lines for name in line.task.split(" versus ")}
    assert len({line.task for line in lines}) == 28
    assert names == {
        *SCORED,
        "hippopotamus",
        "persian cat",
        "raccoon",
        "rat",
        "seal",
    }
    assert {key: sum(key in line.best for line in lines) for key in lines[0].mean} == {
        "svm": 5,
        "margin_transfer": 12,
        "human": 11,
    }


def test_the_paper_compared_with_itself():
    lines = {line.statement: line for line in compare_with_table_7(printed_as_ours(), TABLE_7_METHODS)}
    for line in lines.values():
        if line.source == "Table 7":
            assert line.ours == line.paper
            assert line.difference in {"0", "0.00"}
    panda = lines["Pairs with giant panda: Margin Transfer from people's scores is above the SVM"]
    assert (panda.paper, panda.answer) == ("7 of 7", "agrees")
    assert lines["Mean accuracy of SVM, %"].answer == "agrees"
    assert lines["Margin Transfer from people's scores is above the one from X*"].answer == "not clear"
    # 28 pairs that all lean to one side.
    assert lines["X and X* agree more on what is easy than people and X"].answer == "agrees"


def test_other_classes_have_a_tendency_only():
    rows = [row | {"task": f"a versus b{k}"} for k, row in enumerate(printed_as_ours())]
    for line in compare_with_table_7(rows, TABLE_7_METHODS):
        assert line.difference == ""
        assert not line.statement.startswith("Pairs with")


def test_agreement_that_does_not_exist_has_no_answer():
    rows = [row | {"tau_human_decision": float("nan")} for row in printed_as_ours()]
    lines = compare_with_table_7(rows, TABLE_7_METHODS)[-2:]
    assert [line.answer for line in lines] == ["no answer"] * 2


def test_a_pair_is_named_as_the_paper_names_it():
    assert pair_task("leopard", "chimpanzee") == "chimpanzee versus leopard"
    assert pair_task("zebra", "chimpanzee") == "zebra versus chimpanzee"


def test_only_scored_images_are_trained_on_and_all_others_can_test(tmp_path):
    easiness = np.arange(48.0)
    easiness[::2] = np.nan
    write_human_scores(tmp_path, easiness=easiness)
    images = load_human_scores(tmp_path)
    train, test = draw_scored_split(images, (0, 2), 5, 100, seed=0)
    assert np.isfinite(easiness[train]).all()
    assert np.bincount(images.y[train]).tolist() == [5, 0, 5]
    assert np.bincount(images.y[test]).tolist() == [11, 0, 11]
    assert not set(train) & set(test)
    again = draw_scored_split(images, (0, 2), 5, 100, seed=0)
    np.testing.assert_array_equal(np.concatenate(again), np.concatenate([train, test]))
    assert ScoresProtocol().training_images(images) == 4


def test_given_margins_are_what_the_classifier_is_trained_with():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 3)), np.tile([0, 1], 15)
    X[:, 0] += 2 * y
    margins = rng.uniform(0, 2, 30)
    model, C = ModelSelection((0.01, 1.0), (1.0,), 3, 0).given_margins(X, y, margins)
    expected = MarginTransferSVC(C).fit(X, y, margins=margins)
    np.testing.assert_allclose(model.coef_, expected.coef_)
    assert C in (0.01, 1.0)
    # With margins of 1 it is the plain SVM, so that the same C is chosen.
    selection = ModelSelection((1e-3, 1.0, 10.0), (1.0,), 3, 0)
    plain, plain_C = selection.svm(X, y)
    model, C = selection.given_margins(X, y, np.ones(30))
    assert plain_C == C
    np.testing.assert_allclose(model.decision_function(X), plain.decision_function(X), atol=5e-3)


def test_a_small_run_from_end_to_end(tmp_path, settings):
    outcome = run_experiment(human_scores_experiment(TINY), settings, tmp_path / "out", observer=Recorder())
    record = outcome.record
    assert record.status == "complete", record.message
    table, beside = record.summary.tables
    assert [row[0].text for row in table.rows] == [
        "chimpanzee versus giant panda",
        "chimpanzee versus leopard",
        "giant panda versus leopard",
    ]
    assert [column.title for column in beside.columns][1::2] == [method.name for method in TABLE_7_METHODS]
    assert beside.rows[0][5].text == "83.72 ± 0.58"
    assert [figure.svg for figure in record.figures] == [
        "figures/difference-human-svm.svg",
        "figures/difference-human-margin-transfer.svg",
        "figures/difference-margin-transfer-svm.svg",
        "figures/tau.svg",
        "figures/tau-within-class.svg",
    ]
    assert record.protocol["training images"].startswith(
        "6 of each class, drawn among those that people scored; "
    )
    assert "1 (hardest) to 16 (easiest)" in record.protocol["scores"]
    assert any(finding.startswith("Kendall's tau") for finding in record.summary.findings)


def test_pairs_that_would_have_one_name_stop_the_run_before_it_starts(tmp_path):
    arrays = labelled_arrays(4, 12)
    arrays["classes"] = np.array(["a", "b versus c", "a versus b", "c"])
    write_human_scores(tmp_path, **arrays, easiness=np.arange(48.0))
    with pytest.raises(DatasetError, match="both called 'a versus b versus c': rename one"):
        human_scores_experiment().protocol(Settings(data=tmp_path))


def test_one_score_far_above_all_others_is_a_finding_and_no_warning(tmp_path):
    easiness = np.arange(48.0)
    easiness[47] = 1e6
    write_human_scores(tmp_path, easiness=easiness)
    experiment = human_scores_experiment(TINY)
    settings = Settings(repeats=1, data=tmp_path)
    rows = [{"task": unit.task} | experiment.run(unit, settings) for unit in experiment.units(settings)]
    # Of 16 images of a class 6 are drawn, the first class without the outlier.
    assert rows[0]["n_human_margins"] == 0
    n_plain = sum(row["n_human_margins"] == 0 for row in rows)
    findings = experiment.summarise({"pairs": rows}, settings).findings
    assert any(finding.startswith(f"In {n_plain} of 3 draws of training images") for finding in findings)
    spread = [row | {"n_human_margins": 3} for row in rows]
    findings = experiment.summarise({"pairs": spread}, settings).findings
    assert not any("draws of training images" in finding for finding in findings)


def test_few_scores_make_small_draws_that_the_protocol_names(settings):
    facts = human_scores_experiment().protocol(settings)
    assert (
        "8 of each class, drawn among those that people scored (not 100: half of" in facts["training images"]
    )


def test_too_few_scores_stop_the_run_before_it_starts(tmp_path):
    easiness = np.full(48, np.nan)
    easiness[::2] = np.arange(24)
    write_human_scores(tmp_path, easiness=easiness)
    with pytest.raises(DatasetError, match="scores of fewer than 10 images of some class"):
        human_scores_experiment().protocol(Settings(data=tmp_path))


def test_a_missing_and_a_damaged_file_stop_the_run_before_it_starts(tmp_path):
    experiment = human_scores_experiment()
    with pytest.raises(MissingDatasetError, match=r"human_scores\.npz is missing"):
        experiment.protocol(Settings(data=tmp_path))
    (tmp_path / "human_scores.npz").write_bytes(b"PK")
    with pytest.raises(DatasetError, match="cannot be read"):
        experiment.protocol(Settings(data=tmp_path))


def test_the_published_protocol():
    experiment = {e.name: e for e in EXPERIMENTS}["human-scores"]
    assert experiment.needs_data
    assert experiment.repeats.full == 20
    protocol = ScoresProtocol()
    assert (protocol.n_train, protocol.n_test) == (100, 200)
    assert protocol.n_fold_repeats == 5
