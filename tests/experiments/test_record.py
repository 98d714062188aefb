"""The record of a run: what is written is read, what is damaged is named."""

import json

import pytest

from experiments.toy_experiment import Recorder, toy_experiment
from widemargin.experiments import Settings, run_experiment
from widemargin.experiments.record import DamagedRecordError, read_record, write_record


@pytest.fixture
def folder(tmp_path):
    run_experiment(toy_experiment(), Settings(repeats=2), tmp_path, observer=Recorder())
    return tmp_path / "toy"


def test_a_record_comes_back_equal(folder):
    record = read_record(folder)
    write_record(folder, record)
    assert read_record(folder) == record
    assert record.summary.tables[0].rows[0][2].best


def test_a_record_says_what_a_reader_needs(folder):
    record = json.loads((folder / "run.json").read_text())
    assert record["settings"]["seed"] == "0"
    assert {"python", "numpy", "scipy", "scikit-learn", "widemargin"} <= record["versions"].keys()
    assert {"operating system", "processor", "cores", "memory"} == record["machine"].keys()
    assert record["durations"]["all finished units, added up"] > 0
    assert (record["units_done"], record["units_total"]) == (4, 4)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda r: r.pop("protocol"), "run.protocol is missing"),
        (lambda r: r.update(units_done="4"), "run.units_done is str"),
        (lambda r: r.update(status="splendid"), "its status is 'splendid'"),
        (lambda r: r["summary"]["tables"][0]["rows"][0].__setitem__(0, None), r"rows\[0\]\[0\] is NoneType"),
        (lambda r: r["summary"].update(findings="none"), "findings is str"),
        (
            lambda r: r["summary"]["comparisons"][0].update(answer="maybe"),
            r"comparisons\[0\].answer is 'maybe'",
        ),
    ],
)
def test_a_foreign_record_is_named_with_the_place(folder, change, complaint):
    path = folder / "run.json"
    record = json.loads(path.read_text())
    change(record)
    path.write_text(json.dumps(record))
    with pytest.raises(DamagedRecordError, match=complaint):
        read_record(folder)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b"3"])
def test_a_file_that_is_no_record_is_damaged(folder, content):
    (folder / "run.json").write_bytes(content)
    with pytest.raises(DamagedRecordError, match=r"run\.json"):
        read_record(folder)


def test_a_record_from_before_the_answers_is_read_without_them(folder):
    path = folder / "run.json"
    record = json.loads(path.read_text())
    line = record["summary"]["comparisons"][0]
    del line["answer"]
    line["agrees"] = True
    path.write_text(json.dumps(record))
    assert [line.answer for line in read_record(folder).summary.comparisons] == ["no answer"]
