"""Shots as text that spreadsheets, editing programs and players read."""

import csv
import io
import json
import re

import pytest

from widemargin.video import Shot
from widemargin.video.exports import format_shots

SHOTS = [Shot(0.0, 2.48, 1.24, 62), Shot(2.48, 59.9996, 30.0, 1438), Shot(59.9996, 3661.5, 100.0, 90000)]


def test_csv_has_seconds_with_three_decimals():
    rows = list(csv.reader(io.StringIO(format_shots(SHOTS, "csv"))))
    assert rows == [
        ["shot", "start", "end", "key_time"],
        ["1", "0.000", "2.480", "1.240"],
        ["2", "2.480", "60.000", "30.000"],
        ["3", "60.000", "3661.500", "100.000"],
    ]


def test_json_keeps_every_digit():
    record = json.loads(format_shots(SHOTS, "json", title='a "b"\nc'))
    assert record["title"] == 'a "b" c'
    assert record["shots"][1] == {
        "shot": 2,
        "start": 2.48,
        "end": 59.9996,
        "key_time": 30.0,
        "n_frames": 1438,
    }


def test_vtt_carries_rounded_milliseconds_into_minutes():
    lines = format_shots(SHOTS, "vtt", title="dusk").splitlines()
    assert lines[:5] == ["WEBVTT dusk", "", "1", "00:00:00.000 --> 00:00:02.480", "Shot 1"]
    assert "00:00:02.480 --> 00:01:00.000" in lines
    assert "00:01:00.000 --> 01:01:01.500" in lines


def test_vtt_takes_more_than_99_hours_and_escapes_its_title():
    text = format_shots([Shot(0.0, 400_000.0, 1.0, 5)], "vtt", title="a --> <b> &\n\n9")
    assert text.splitlines()[0] == "WEBVTT a --&gt; &lt;b&gt; &amp; 9"
    assert "--> 111:06:40.000" in text


@pytest.mark.parametrize(
    ("rate", "time", "timecode"),
    [
        (25.0, 2.48, "00:00:02:12"),
        (25.0, 59.9996, "00:01:00:00"),
        (30.0, 0.05, "00:00:00:02"),
        (30000 / 1001, 3600 * 1.001, "01:00:00:00"),
        (24.0, 359_999.95, "99:59:59:23"),
    ],
)
def test_edl_timecodes(rate, time, timecode):
    text = format_shots([Shot(0.0, time, 0.0, 1)], "edl", rate=rate)
    assert text.splitlines()[3].split() == [
        "001",
        "AX",
        "V",
        "C",
        "00:00:00:00",
        timecode,
        "00:00:00:00",
        timecode,
    ]


def test_edl_lines_have_the_columns_of_the_format():
    text = format_shots(SHOTS, "edl", title="éa\r\n" + "x" * 100)
    lines = text.splitlines()
    assert lines[0] == "TITLE: ?a " + "x" * 67
    assert lines[1] == "FCM: NON-DROP FRAME"
    assert all(
        re.fullmatch(r"\d{3}  AX       V     C       ( \d\d:\d\d:\d\d:\d\d){4}", line) for line in lines[3:]
    )


def test_edl_refuses_what_it_cannot_hold():
    with pytest.raises(ValueError, match="at most 999 events: raise the threshold"):
        format_shots([Shot(0.0, 1.0, 0.0, 1)] * 1000, "edl")
    with pytest.raises(ValueError, match="ends before 100 hours"):
        format_shots([Shot(0.0, 360_000.0, 0.0, 1)], "edl")


@pytest.mark.parametrize(
    ("changes", "message"), [({"format": "xml"}, "format"), ({"rate": 0.5}, "rate"), ({"rate": 1000}, "rate")]
)
def test_wrong_arguments(changes, message):
    with pytest.raises(ValueError, match=message):
        format_shots(SHOTS, **({"format": "edl"} | changes))
