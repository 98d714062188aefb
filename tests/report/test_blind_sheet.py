"""The blind sheet: it does not tell the methods apart, and its key does."""

import csv
import io
from collections import Counter

import pytest

from report.pages import EVIL, Page, evidence
from widemargin.report import BlindPair, render_blind_sheet

FIRST, SECOND = 10.0, 20.0


def sheet_of(n=9, **options):
    pairs = [
        BlindPair("fight", f"v{i}", f"v{i}.mp4", (evidence(start=FIRST),) * 2, (evidence(start=SECOND),))
        for i in range(n)
    ]
    sheet, key = render_blind_sheet(
        "Fights", "two men fighting", pairs, methods=("ours", "theirs"), **options
    )
    return Page(sheet), list(csv.DictReader(io.StringIO(key)))


def sides_of(page):
    """For each pair, whether the first method is at A, from where the shots start."""
    starts = [float(a["href"].split("#t=")[1].split(",")[0]) for a in page.all("a") if "data-span" in a]
    return [starts[i] == FIRST for i in range(0, len(starts), 3)]


def test_the_key_says_what_the_sheet_shows():
    page, key = sheet_of()
    assert ["ours" if first else "theirs" for first in sides_of(page)] == [row["A"] for row in key]
    assert all({row["A"], row["B"]} == {"ours", "theirs"} for row in key)
    assert [row["pair"] for row in key] == [str(i) for i in range(1, 10)]
    assert [row["video"] for row in key] == [f"v{i}.mp4" for i in range(9)]
    assert {row["event"] for row in key} == {"fight"}
    (form,) = page.all("form")
    assert {row["sheet"] for row in key} == {form["data-sheet"]}


def test_each_method_is_on_each_side_in_half_of_the_videos():
    drawn = [tuple(row["A"] for row in sheet_of(random_state=seed)[1]) for seed in range(5)]
    assert all(set(Counter(sides).values()) == {4, 5} for sides in drawn)
    assert len(set(drawn)) > 1
    assert drawn[0] == tuple(row["A"] for row in sheet_of(random_state=0)[1])


def test_nothing_on_the_sheet_tells_the_methods_apart():
    page, _ = sheet_of()
    shown = page.text + str(page.elements)
    for word in ("ours", "theirs", "saliency", "street sign", "0.500", "0.250"):
        assert word not in shown
    strip = (evidence(), evidence(1, start=4.0))
    pairs = [BlindPair("e", "v", "v", strip, strip)] * 4
    sheets = [render_blind_sheet("t", "", pairs, random_state=seed)[0] for seed in range(3)]
    bodies = {sheet.replace(Page(sheet).all("form")[0]["data-sheet"], "") for sheet in sheets}
    assert len(bodies) == 1


def test_every_shot_and_every_video_has_a_question():
    page, _ = sheet_of(2)
    asked = Counter(a["name"] for a in page.all("input") if a.get("type") == "radio")
    per_video = {"{}--": 3, "{}-A-1": 2, "{}-B-1": 2}
    assert {name.format(i): n for name, n in per_video.items() for i in (1, 2)}.items() <= asked.items()
    assert sum(asked.values()) == 2 * (3 + 3 * 2)


def test_other_sheets_have_other_names():
    names = {sheet_of(**options)[1][0]["sheet"] for options in ({}, {"n": 8}, {"random_state": 1})}
    assert len(names) == 3


def test_names_stay_names():
    strip = (evidence(),)
    pair = BlindPair(EVIL, EVIL, f"{EVIL}\n\udcff", strip, strip)
    calm, _ = render_blind_sheet("t", "d", [BlindPair("e", "n", "p", strip, strip)])
    sheet, key = render_blind_sheet(EVIL, EVIL, [pair])
    sheet.encode()
    assert [tag for tag, _ in Page(sheet).elements] == [tag for tag, _ in Page(calm).elements]
    assert next(csv.DictReader(io.StringIO(key, newline="")))["video"] == f"{EVIL}\n\udcff"


@pytest.mark.parametrize(
    ("pairs", "methods", "message"),
    [
        ([], ("a", "b"), "pairs must have at least one video"),
        ([BlindPair("e", "n", "", (), ())], ("a", "a"), "two different names, but both are 'a'"),
    ],
)
def test_what_makes_no_sheet(pairs, methods, message):
    with pytest.raises(ValueError, match=message):
        render_blind_sheet("t", "", pairs, methods=methods)
