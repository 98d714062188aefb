"""The page of ranked videos: what it shows, what it leaves out and says so, and that names stay names."""

import base64
import hashlib
import os
import re
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

import numpy as np
import pytest

from report.pages import EVIL, Page, event_page, evidence, thumbnail
from widemargin.report import Hit, has_foreign_page, render_event_page, write_event_page
from widemargin.report.printing import clock, number
from widemargin.report.video_links import file_code, file_url

HOSTILE = [
    "a b.mp4",
    "50 % off #2?.mp4",
    "quotes \" and '.mp4",
    "Übung – naïve.mp4",
    "two\nlines.mp4",
    "not\udcff\udc80utf8.mp4",
    "<b>bold & brave.mp4",
    "back\\slash;semi:colon.mp4",
    "%41.mp4",
]


def parsed(page, **options):
    text = render_event_page(page, **options)
    text.encode()
    return Page(text), text


def links_of(page, kind):
    return [a["href"] for a in page.all("a") if a.get("class", "") == kind]


def test_it_shows_what_it_was_given():
    page, _ = parsed(event_page())
    for words in (
        "Fights",
        "two men fighting",
        "Ranked by a detector.",
        "one.mp4",
        "1.500",
        "−0.500",
        "3 min 5 s",
        "partial",
        "3 packets are damaged",
        "0:01.0–0:02.5",
        "street sign",
        "61 %",
        "20 %",
        "weight, place 1",
        "0.250",
    ):
        assert words in page.text
    assert len(page.all("img")) == 9
    assert len(links_of(page, "frame play")) == 9
    assert [a["class"] for a in page.all("span") if a.get("class") == "status"] == ["status"]


def test_pictures_are_inside_and_only_jpeg():
    strip = (evidence(), evidence(thumbnail=b"<svg onload=alert(1)>"), evidence(thumbnail=b""))
    page, _ = parsed(event_page(Hit("a", "a", 1.0, strip=strip)))
    (image,) = page.all("img")
    head, _, data = image["src"].partition(",")
    assert head == "data:image/jpeg;base64"
    assert base64.b64decode(data) == thumbnail(0)
    assert image["alt"] == "Play a at 0:01.8"
    assert page.text.count("no picture") == 2


def test_the_policy_lets_in_nothing_but_the_script_of_the_page():
    page, text = parsed(event_page())
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = [a["content"] for a in page.all("meta") if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy == (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:; "
        "media-src 'self' file:; base-uri 'none'; form-action 'none'"
    )
    assert "url(" not in re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    assert page.all("link") == page.all("iframe") == page.all("video") == []
    assert all(not name.startswith("on") for _, attributes in page.elements for name in attributes)


def test_every_text_is_escaped():
    strip = (evidence(concepts=((EVIL, 0.5),)),)
    hit = Hit(EVIL, f"tapes/{EVIL}", 1.0, "partial", (EVIL,), label=EVIL, strip=strip)
    calm = event_page(
        Hit("a", "tapes/a", 1.0, "partial", ("b",), label="c", strip=strip), event_page().hits[1]
    )
    page, _ = parsed(event_page(hit, event_page().hits[1], notes=(EVIL,)))
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in parsed(calm)[0].elements]
    assert page.text.count(EVIL) >= 6  # name, path, problem, label, concept, note


@pytest.mark.parametrize("name", HOSTILE)
def test_links_lead_to_the_very_bytes_of_the_name(name, tmp_path):
    path = str(tmp_path / name)
    strip = (evidence(start=2.0),)
    for folder, prefix in ((None, os.fsencode(tmp_path) + b"/"), (tmp_path, b"")):
        page, _ = parsed(event_page(Hit(name, path, 1.0, strip=strip)), folder=folder)
        (link,) = links_of(page, "frame play")
        parts = urlsplit(link)
        assert parts.scheme == ("" if folder else "file")
        assert parts.fragment == "t=2.000,3.500"
        assert not parts.query
        assert unquote_to_bytes(parts.path) == prefix + os.fsencode(name)


def test_links_are_relative_only_below_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert file_url("videos/a.mp4", Path()) == "videos/a.mp4"
    assert file_url("videos/../a.mp4", tmp_path) == "a.mp4"
    assert file_url("a.mp4", Path("pages")) == (tmp_path / "a.mp4").as_uri()
    assert file_url("../a.mp4", tmp_path) == (tmp_path.parent / "a.mp4").as_uri()
    assert file_url("javascript:alert(1)", tmp_path) == "javascript%3Aalert%281%29"
    assert file_url("//host/a.mp4").startswith("file:///")
    assert file_url("") == ""


def test_links_on_the_way_are_not_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert file_url(str(tmp_path / "link" / "a.mp4")).endswith("/link/a.mp4")


def test_a_single_frame_is_played_from_its_time_on():
    page, _ = parsed(event_page(Hit("a", "a", 1.0, strip=(evidence(start=4.0, end=4.0),))))
    (link,) = links_of(page, "frame play")
    assert link.endswith("#t=4.000")
    assert "0:04.0–" not in page.text


def test_without_a_file_there_is_nothing_to_play():
    page, _ = parsed(event_page(Hit("a", "", 1.0, strip=(evidence(),))))
    assert links_of(page, "frame play") == []
    assert len(page.all("img")) == 1


@pytest.mark.parametrize("name", HOSTILE)
def test_marks_keep_the_bytes_of_the_path(name):
    hits = (Hit("shown", f"tapes/{name}", 1.0), Hit(name, "", 0.5))
    page, _ = parsed(event_page(*hits))
    codes = [a["data-file"] for _, a in page.elements if "data-file" in a]
    lines = [] if "\n" in name else [f"tapes/{name}", name]
    assert codes == [file_code(line) for line in lines]
    assert [unquote_to_bytes(code) for code in codes] == [os.fsencode(line) for line in lines]
    n_buttons = 0 if "\n" in name else 4
    assert sum("data-mark" in a for a in page.all("button")) == n_buttons
    assert ("it has a line break" in page.text) == ("\n" in name)


@pytest.mark.parametrize(
    ("path", "line"),
    [("#1.mp4", ["./#1.mp4"]), (" a.mp4", ["./ a.mp4"]), ("a.mp4 ", []), ("tapes/#1.mp4", ["tapes/#1.mp4"])],
)
def test_what_a_list_would_take_for_something_else(path, line):
    page, _ = parsed(event_page(Hit("shown", path, 1.0)))
    assert [unquote_to_bytes(a["data-file"]).decode() for _, a in page.elements if "data-file" in a] == line
    assert sum("data-mark" in a for a in page.all("button")) == 2 * len(line)


@pytest.mark.parametrize(("kind", "marked"), [("search", 1), ("rank", 1), ("recount", 0), ("recognize", 0)])
def test_only_searches_and_rankings_have_marks(kind, marked):
    page, _ = parsed(event_page(kind=kind))
    assert sum(a.get("data-mark") == "right" for a in page.all("button")) == marked * 2
    assert sum(a.get("id") == "marked" for a in page.all("output")) == marked
    assert sum(a.get("id") == "filter" for a in page.all("input")) == 1
    assert f"widemargin events {kind}" in page.text


def test_bars_have_the_heights_of_the_weights():
    page, _ = parsed(event_page(weights=(0.5, 0.25, float("nan"), 0.0)))
    heights = [float(a["height"]) for a in page.all("rect") if "y" in a]
    assert heights == [100.0, 50.0, 0.0, 0.0]
    assert "place 1: 0.500" in page.text
    assert "place 4: 0.000" in page.text
    page, _ = parsed(event_page(weights=()))
    assert page.all("figure") == []
    page, _ = parsed(event_page(weights=(0.0, 0.0)))
    assert {float(a["height"]) for a in page.all("rect") if "y" in a} == {0.0}


def test_bars_of_scores_start_at_nothing():
    scores = (3.0, -1.0, float("nan"), float("inf"))
    page, _ = parsed(event_page(*(Hit("a", "a", score) for score in scores), weights=()))
    bars = [(float(a["x"]), float(a["width"]), a["class"]) for a in page.all("rect") if "x" in a]
    assert bars == [(25.0, 75.0, "plus"), (0.0, 25.0, "minus"), (0.0, 0.0, "plus"), (0.0, 0.0, "plus")]
    assert page.text.count("–") == 2


def test_the_size_is_bounded_and_the_page_says_what_is_left_out():
    strip = tuple(evidence(i, thumbnail=b"") for i in range(60))
    hits = [Hit(f"v{i}", f"v{i}", -float(i), strip=strip if i == 0 else ()) for i in range(5200)]
    page, _ = parsed(event_page(*hits, weights=tuple(np.linspace(1, 0, 400))))
    assert len(links_of(page, "frame play")) == 50
    assert "The best 50 of 60 shots." in page.text
    assert len([a for a in page.all("li") if a.get("class") == "hit"]) == 100
    assert len(page.all("tr")) == 5001
    assert "The page shows the best 5100 of 5200 videos" in page.text
    assert "place 300 of 400" in page.text


def test_pictures_have_a_budget():
    big = b"\xff\xd8\xff" + bytes(10 * 2**20)
    strip = tuple(evidence(i, thumbnail=big) for i in range(3))
    page, text = parsed(event_page(Hit("a", "a", 1.0, strip=strip)))
    assert len(page.all("img")) == 2
    assert len(text) < 30 * 2**20
    assert "the pictures of the last 1 shots are left out" in page.text


def test_nothing_to_show_is_said():
    page, _ = parsed(event_page(Hit("a", "a", 1.0)))
    assert "There is no shot to show for it." in page.text
    empty = render_event_page(type(event_page())("t", "", "search", ()))
    assert "There are no videos to show." in Page(empty).text


def test_values_that_are_not_known_are_not_shown():
    strip = (evidence(saliency=float("nan"), weight=float("nan"), position=None, concepts=()),)
    page, _ = parsed(event_page(Hit("a", "a", 1.0, strip=strip), weights=()))
    assert "saliency" not in page.text
    assert "weight" not in page.text
    assert [a for a in page.all("ul") if a.get("class") == "concepts"] == []


@pytest.mark.parametrize(("kind", "has_score"), [("rank", True), ("search", False)])
def test_no_number_and_no_time_is_told_twice(kind, has_score):
    strip = (evidence(start=61.0, end=61.04), evidence(1, start=63.0))
    _, text = parsed(event_page(Hit("a", "a", 1.0, strip=strip), kind=kind, weights=()))
    assert text.count('<span class="time">1:01.0</span>') == 1
    assert text.count('<span class="time">1:03.0–1:04.5</span>') == 1
    assert "<dt>saliency</dt>" in text
    assert ("<dt>score</dt>" in text) == has_score


def test_it_is_written_whole_and_known_as_ours(tmp_path):
    path = tmp_path / "index.html"
    write_event_page(
        path, event_page(Hit("not\udcff", str(tmp_path / "not\udcff"), 1.0, strip=(evidence(),)))
    )
    assert 'href="not%FF#t=' in path.read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == [path]
    assert not has_foreign_page(tmp_path)


def test_what_helps_those_who_do_not_see():
    page, _ = parsed(event_page())
    ids = [a["id"] for _, a in page.elements if "id" in a]
    assert len(ids) == len(set(ids))
    assert {a["aria-labelledby"] for _, a in page.elements if "aria-labelledby" in a} <= set(ids)
    assert {a["for"] for a in page.all("label") if "for" in a} <= set(ids)
    assert all(a["alt"] for a in page.all("img"))
    assert page.all("html")[0]["lang"] == "en"
    assert [a for a in page.all("meta") if a.get("name") == "viewport"]
    films = [a for a in page.all("div") if a.get("class") == "film"]
    assert [(a["tabindex"], a["aria-label"]) for a in films] == [
        ("0", "Shots of one.mp4"),
        ("0", "Shots of two.mp4"),
    ]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00.0"), (59.96, "1:00.0"), (3599.99, "1:00:00.0"), (-0.01, "0:00.0"), (float("nan"), "–")],
)
def test_times(seconds, text):
    assert clock(seconds) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.000"), (-0.0004, "−0.0004"), (999.9994, "999.999"), (1e5, "1e+05"), (float("-inf"), "–")],
)
def test_numbers(value, text):
    assert number(value) == text
