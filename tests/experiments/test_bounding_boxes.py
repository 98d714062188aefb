"""Bounding boxes: the printed tables, sizes of splits, a small run on a generated file, and damaged files."""

import numpy as np
import pytest

from experiments.benchmark_files import BOXED, write_bounding_boxes
from experiments.toy_experiment import Recorder
from widemargin.datasets import DatasetError, MissingDatasetError
from widemargin.experiments import EXPERIMENTS, Settings, run_experiment
from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.bounding_boxes import BoxesProtocol, SplitSize, bounding_boxes_experiment
from widemargin.experiments.bounding_boxes_printed import compare_with_boxes, printed_group
from widemargin.experiments.privileged_comparison import METHODS

TINY = BoxesProtocol(
    sizes={"snakes": SplitSize(6, 6), "balls": SplitSize(5, 10)}, grid=(0.1, 10.0), n_folds=2
)


@pytest.fixture
def settings(tmp_path):
    write_bounding_boxes(tmp_path / "data")
    return Settings(repeats=2, data=tmp_path / "data")


def printed_as_ours(group):
    """The printed means as if they were our accuracies, one repeat."""
    rows = [
        {"task": line.task} | {f"{key}_accuracy": mean / 100 for key, mean in line.mean.items()}
        for line in printed_group(group)
    ]
    return AccuracyStudy.from_rows(rows, METHODS)


@pytest.mark.parametrize(
    ("group", "n_lines", "leads", "significant"),
    [("snakes", 17, (12, 14, 13, 11, 16), 12), ("balls", 6, (2, 5, 5, 2, 5), 5), ("birds", 23, None, 17)],
)
def test_the_printed_tables_have_the_counts_that_the_text_states(group, n_lines, leads, significant):
    lines = printed_group(group)
    assert len({line.task for line in lines}) == n_lines
    assert sum(bool(line.significant) for line in lines) == significant
    # The gain on one snake, the green one, is Margin Transfer's.
    assert sum(line.significant == "svm_plus" for line in lines) == significant - (group != "balls")
    assert all(line.mean[line.significant] > line.mean["svm"] for line in lines if line.significant)
    if leads:
        comparisons = compare_with_boxes(printed_as_ours(group), group)
        assert [line.paper for line in comparisons] == [f"{count} of {n_lines}" for count in leads]
        assert [line.paper for line in comparisons] == [line.ours for line in comparisons]
        assert {line.difference for line in comparisons} == {"0"}


def test_the_paper_bears_out_its_own_claims_where_it_has_enough_tasks():
    answers = {
        group: [line.answer for line in compare_with_boxes(printed_as_ours(group), group)]
        for group in ("snakes", "balls")
    }
    assert answers["snakes"] == ["agrees", "agrees", "agrees", "not clear", "no answer"]
    # Of 6 tasks at least 6 must lean to one side.
    assert set(answers["balls"]) == {"not clear", "no answer"}


def test_other_classes_have_no_difference_but_a_tendency():
    study = printed_as_ours("snakes")
    others = AccuracyStudy.from_rows(
        [
            {"task": f"bird {k}"}
            | {f"{m.key}_accuracy": value / 100 for m, value in zip(METHODS, scores[:, 0], strict=True)}
            for k, scores in enumerate(study.scores.values())
        ],
        METHODS,
    )
    for line in compare_with_boxes(others, "birds"):
        assert line.difference == ""
        assert line.source == "Tables 2 and 3"
        assert line.paper.endswith("of 23")


@pytest.mark.parametrize(
    ("n_images", "size"), [(320, (160, 160)), (1000, (160, 160)), (319, (159, 159)), (20, (10, 10))]
)
def test_a_split_is_no_larger_than_the_smallest_class_allows(n_images, size):
    assert SplitSize(160, 160).within(n_images) == SplitSize(*size)


def test_the_proportion_of_training_and_test_is_kept():
    assert SplitSize(100, 200).within(150) == SplitSize(50, 100)


def test_a_small_run_from_end_to_end(tmp_path, settings):
    outcome = run_experiment(bounding_boxes_experiment(TINY), settings, tmp_path / "out", observer=Recorder())
    record = outcome.record
    assert record.status == "complete", record.message
    assert [table.title for table in record.summary.tables] == [
        "snakes: one class against the others",
        "balls: one class against the others",
    ]
    assert [len(table.rows) for table in record.summary.tables] == [3, 1]
    assert (
        "snakes, 3 classes: 6 against 6 for training, 6 against 6 for testing;" in record.protocol["images"]
    )
    assert (
        "balls, 2 classes: 5 against 5 for training, 10 against 10 for testing." in record.protocol["images"]
    )
    assert "drawn once" in record.protocol["folds"]
    assert len({figure.svg for figure in record.figures}) == 10
    assert len(record.summary.comparisons) == 10
    text = (tmp_path / "out/bounding-boxes/classes.csv").read_text()
    # Of two classes one is told from the other: the other way round is the same problem.
    assert text.count("balls") == 2
    assert BOXED[4] not in text
    assert f"{BOXED[3]},0,balls," in text


def test_boxes_without_features_have_no_agreement_and_no_warning(tmp_path):
    write_bounding_boxes(tmp_path, X_privileged=np.zeros((80, 3)))
    experiment = bounding_boxes_experiment(TINY)
    settings = Settings(repeats=1, data=tmp_path)
    unit = next(unit for unit in experiment.units(settings) if unit.task == BOXED[3])
    rows = [{"task": unit.task} | experiment.run(unit, settings)]
    assert np.isnan(rows[0]["tau"])
    findings = experiment.summarise({"classes": rows}, settings).findings
    assert any("agree with Kendall's tau – over all training images, and –" in text for text in findings)


def test_the_same_classes_stand_beside_the_printed_ones():
    rows = [
        {"task": line.task, "group": line.group, "tau": 0.5, "tau_within_class": 0.1}
        | {f"{key}_accuracy": mean / 100 for key, mean in line.mean.items()}
        for line in (*printed_group("snakes")[:3], *printed_group("balls")[2:4])
    ]
    summary = bounding_boxes_experiment().summarise({"classes": rows}, Settings())
    beside = [table for table in summary.tables if table.name.startswith("beside")]
    assert [row[0].text for row in beside[0].rows] == ["thunder snake", "ringneck snake", "hognose snake"]
    assert beside[1].rows[0][1].text == "76.46 ± 0.47"
    assert beside[1].rows[0][2].text == "76.46"
    assert any(
        finding.startswith("snakes: 3 of the paper's 17 classes have results") for finding in summary.findings
    )
    # Three of 17 classes: no difference of counts.
    assert {line.difference for line in summary.comparisons} == {""}


def test_small_classes_make_small_splits_that_the_protocol_names(settings):
    facts = bounding_boxes_experiment().protocol(settings)
    assert "8 against 8 for testing (not 160 and 160, which the smallest class lacks)" in facts["images"]
    assert "5 against 5 for training, 10 against 10 for testing (not 100 and 200" in facts["images"]


@pytest.mark.parametrize(("n_images", "group", "least"), [(9, "snakes", 10), (14, "balls", 15)])
def test_too_few_images_stop_the_run_before_it_starts(tmp_path, n_images, group, least):
    write_bounding_boxes(tmp_path, n_images=n_images)
    complaint = f"of some class of {group}: every class needs at least {least}, so that divided"
    with pytest.raises(DatasetError, match=complaint):
        bounding_boxes_experiment().protocol(Settings(data=tmp_path))


def test_just_enough_images_start_the_run(tmp_path):
    write_bounding_boxes(tmp_path, n_images=15)
    assert (
        "5 against 5 for training" in bounding_boxes_experiment().protocol(Settings(data=tmp_path))["images"]
    )


@pytest.mark.parametrize(
    "size", [SplitSize(160, 160), SplitSize(100, 200), SplitSize(7, 3), SplitSize(300, 7)]
)
@pytest.mark.parametrize("n_train", [1, 2, 5])
def test_the_least_number_of_images_is_enough_and_one_fewer_is_not(size, n_train):
    least = size.least_images(n_train)
    enough, fewer = size.within(least), size.within(least - 1)
    assert enough.n_train >= n_train
    assert enough.n_test >= 1
    assert fewer.n_train < n_train or fewer.n_test < 1


def test_a_missing_and_a_damaged_file_stop_the_run_before_it_starts(tmp_path):
    experiment = bounding_boxes_experiment()
    with pytest.raises(MissingDatasetError, match=r"bounding_boxes\.npz is missing"):
        experiment.protocol(Settings(data=tmp_path))
    (tmp_path / "bounding_boxes.npz").write_bytes(b"PK")
    with pytest.raises(DatasetError, match="cannot be read"):
        experiment.protocol(Settings(data=tmp_path))


def test_the_published_protocol():
    experiment = {e.name: e for e in EXPERIMENTS}["bounding-boxes"]
    assert experiment.needs_data
    assert experiment.repeats.full == 20
    protocol = BoxesProtocol()
    assert protocol.n_fold_repeats == 5
    assert protocol.grid == (1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3)
