"""Pages in a real browser: no script fails, strips are seen at any width, shots play, and names stay names."""

import json
import os
import time
from contextlib import contextmanager

import numpy as np
import pytest

from report.browser import CHROMIUM, Browser
from report.pages import EVIL, event_page, evidence
from widemargin.report import BlindPair, Hit, render_blind_sheet, write_event_page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")

NAME = "50 % off #2? 'Müller' two\udcff.mp4"
VIDEO_STATE = """(() => {
  const video = document.querySelector("#player video");
  return video && { src: video.src, ready: video.readyState, time: video.currentTime, width: video.videoWidth };
})()"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    tab = Browser(tmp_path_factory.mktemp("profile"))
    yield tab
    tab.close()


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    """Six seconds of noise that moves, in the format that browsers know best."""
    pytest.importorskip("av")
    from widemargin.video.writing import write_video

    path = tmp_path_factory.mktemp("video") / "plain.mp4"
    still = np.random.default_rng(0).integers(0, 256, (48, 64, 3), dtype=np.uint8)
    write_video(path, (np.roll(still, i, axis=1) for i in range(60)), rate=10.0, codec="libx264")
    return path


def hits(folder, n_shots=8):
    """A video with a name that is hard to write, one that is not there, and an evil name."""
    strip = tuple(evidence(i, 0.5 * i) for i in range(n_shots))
    return (
        Hit(NAME, str(folder / NAME), 1.5, strip=strip),
        Hit("gone.mp4", str(folder / "gone.mp4"), 0.5, strip=strip[:2]),
        Hit(EVIL, EVIL, 0.25, "partial", (EVIL,), label=EVIL, strip=(evidence(concepts=((EVIL, 0.5),)),)),
        Hit("a" * 200, "a" * 200, -1.0),
    )


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page #1.html"
    rest = tuple(Hit(f"tape {i}.mp4", f"tape {i}.mp4", -2.0 - i) for i in range(100))
    write_event_page(path, event_page(*hits(tmp_path), *rest, title=EVIL))
    return path


@pytest.mark.parametrize("width", [375, 1200])
@pytest.mark.parametrize("dark", [False, True])
def test_it_loads_without_a_complaint_and_strips_are_seen(browser, page, width, dark):
    browser.open(page.as_uri(), width=width, dark=dark)
    pictures = browser.run(
        "[...document.querySelectorAll('.shot img')].map((e) => [e.naturalWidth, e.clientWidth, e.clientHeight])"
    )
    assert len(pictures) == 11
    assert all(natural == 64 and wide > 100 and high > 50 for natural, wide, high in pictures)
    # A page that is wider than a phone makes its window wider.
    assert browser.run("innerWidth") == width
    assert browser.run("document.documentElement.scrollWidth") <= width
    cut = browser.run(
        "(() => { const e = document.querySelector('.film'); return e.scrollWidth - e.clientWidth; })()"
    )
    assert cut > 0
    assert browser.run("getComputedStyle(document.body).backgroundColor") == (
        "rgb(20, 23, 26)" if dark else "rgb(251, 251, 249)"
    )
    assert browser.complaints == []


def test_names_do_not_run(browser, page):
    browser.open(page.as_uri())
    browser.run("new Promise((done) => setTimeout(done, 100))")
    assert browser.run("document.title") == f"widemargin: {EVIL}"
    assert browser.run("document.querySelectorAll('img:not(.frame img)').length") == 0
    assert browser.run("document.querySelectorAll('script').length") == 1
    assert browser.run(f"document.body.textContent.includes({json.dumps(EVIL)})")


def test_the_policy_stops_what_would_run(browser, page):
    page.write_text(page.read_text(encoding="utf-8").replace("<main>", f"<main>{EVIL}"), encoding="utf-8")
    browser.open(page.as_uri())
    browser.wait_for("document.readyState === 'complete'")
    assert browser.run("document.title") == f"widemargin: {EVIL}"
    assert any("Content Security Policy" in text for text in browser.complaints)


def test_a_click_plays_the_moment_and_escape_ends_it(browser, page, video):
    os.rename(video, page.parent / NAME)
    try:
        browser.open(page.as_uri())
        assert browser.run("document.querySelectorAll('video').length") == 0
        browser.run("document.querySelectorAll('a.play')[4].focus()")
        browser.press("Enter", 13)
        browser.wait_for(f"({VIDEO_STATE})?.ready >= 2")
        state = browser.run(VIDEO_STATE)
        assert state["src"].endswith(
            "/50%20%25%20off%20%232%3F%20%27M%C3%BCller%27%20two%FF.mp4#t=2.000,3.500"
        )
        assert state["width"] == 64
        assert 2.0 <= state["time"] <= 3.6
        browser.run("document.querySelector('[data-do=next]').click()")
        browser.wait_for(f"({VIDEO_STATE})?.ready >= 2")
        assert browser.run(VIDEO_STATE)["src"].endswith("#t=2.500,4.000")
        browser.press("Escape", 27)
        browser.wait_for("!document.querySelector('#player').open")
        assert browser.run("document.querySelectorAll('video').length") == 0
        assert browser.run("document.activeElement === document.querySelectorAll('a.play')[4]")
        assert browser.complaints == []
    finally:
        os.rename(page.parent / NAME, video)


def test_what_cannot_be_played_is_said_in_words(browser, page):
    browser.open(page.as_uri(), width=375)
    browser.run("document.querySelectorAll('.film')[1].querySelector('a.play').click()")
    browser.wait_for("!document.querySelector('#player .failure').hidden")
    assert browser.run("document.querySelector('#player .failure').textContent").startswith(
        "This browser cannot play gone.mp4: the file is no longer where it was, or has a format"
    )
    assert browser.run("document.querySelectorAll('video').length") == 0
    assert browser.run("document.querySelector('[data-do=open]').href").endswith("/gone.mp4#t=0.000,1.500")
    browser.run("document.querySelector('[data-do=close]').click()")
    assert not browser.run("document.querySelector('#player').open")


def test_the_filter_hides_the_other_videos(browser, page):
    browser.open(page.as_uri())
    type_in = (
        "const e = document.querySelector('#filter'); e.value = {}; e.dispatchEvent(new Event('input'));"
    )
    shown = "[...document.querySelectorAll('[data-text]')].filter((e) => e.checkVisibility()).length"
    for words, n in (("", 104), ("TAPE 9", 19), ("mÜLLER off", 1), ("no such name", 0), ("  ", 104)):
        browser.run(f"{{ {type_in.format(json.dumps(words))} }}")
        assert browser.run(shown) == n
        assert browser.run("document.querySelector('#shown').textContent") == (
            "" if n == 104 else f"{n} of 104"
        )


@contextmanager
def downloads(browser, folder):
    folder.mkdir()
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def fetch(name):
        end = time.monotonic() + 20
        while not (folder / name).exists():
            assert time.monotonic() < end, name
            time.sleep(0.02)
        return (folder / name).read_bytes()

    yield fetch


def test_marks_are_kept_and_saved_as_lists(browser, page, tmp_path):
    browser.open(page.as_uri())
    press = "document.querySelectorAll('[data-mark={}]')[{}].click()"
    for mark, place in (("right", 0), ("wrong", 1), ("right", 1), ("wrong", 103), ("wrong", 2), ("wrong", 2)):
        browser.run(press.format(mark, place))
    browser.open(page.as_uri())
    assert browser.run("document.querySelector('#marked').textContent") == "2 right, 1 wrong"
    assert browser.run("document.querySelectorAll('[aria-pressed=true]').length") == 3
    assert browser.run("document.querySelector('#wrong-list').value") == "tape 99.mp4\n"
    assert not browser.run("document.querySelector('#fleeting').checkVisibility()")
    with downloads(browser, tmp_path / "saved") as fetch:
        browser.run("document.querySelector('[data-save=right]').click()")
        expected = [str(tmp_path / name) for name in (NAME, "gone.mp4")]
        assert fetch("positives.txt") == b"".join(os.fsencode(path) + b"\n" for path in expected)
        browser.run("document.querySelector('[data-save=wrong]').click()")
        assert fetch("negatives.txt") == b"tape 99.mp4\n"
    browser.run("window.confirm = () => true")
    browser.run("document.querySelector('[data-do=forget]').click()")
    assert browser.run("document.querySelectorAll('[aria-pressed=true]').length") == 0
    assert browser.run("document.querySelector('[data-save=right]').disabled")
    assert browser.complaints == []


def test_it_works_where_nothing_can_be_stored(browser, page):
    broken = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } })"
    script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=broken)
    browser.open(page.as_uri())
    browser.call("Page.removeScriptToEvaluateOnNewDocument", **script)
    browser.run("document.querySelector('[data-mark=right]').click()")
    assert browser.run("document.querySelector('#marked').textContent") == "1 right, 0 wrong"
    assert not browser.run("document.querySelector('#fleeting').hidden")
    assert browser.complaints == []


@pytest.mark.parametrize("width", [375, 1200])
def test_a_blind_sheet_is_answered_and_saved(browser, tmp_path, width):
    strip = tuple(evidence(i) for i in range(4))
    pairs = [BlindPair("fight", EVIL, "a.mp4", strip, strip[:2]), BlindPair("dance", "b", "", (), strip[:1])]
    sheet, _ = render_blind_sheet(f"Sheet {width}", EVIL, pairs)
    path = tmp_path / "sheet.html"
    path.write_text(sheet, encoding="utf-8")
    browser.open(path.as_uri(), width=width)
    assert browser.run("innerWidth") == width
    assert browser.run("[...document.querySelectorAll('.shot img')].every((e) => e.clientHeight > 50)")
    n_questions = 4 + 2 + 1 + 2
    progress = "document.querySelector('#answered').textContent"
    assert browser.run(progress) == f"0 of {n_questions} questions answered"
    browser.run("""(() => {
      const rater = document.querySelector("#rater");
      rater.value = 'Ann, "A"';
      rater.dispatchEvent(new Event("input"));
      for (const [name, value] of [["1-A-1", "yes"], ["1-B-2", "no"], ["1--", "similar"], ["2--", "B"]])
        document.querySelector(`input[name="${name}"][value="${value}"]`).click();
    })()""")
    browser.open(path.as_uri(), width=width)
    assert browser.run(progress) == f"4 of {n_questions} questions answered"
    with downloads(browser, tmp_path / "saved") as fetch:
        browser.run("document.querySelector('#save').click()")
        lines = fetch("answers.csv").decode().splitlines()
    number = browser.run("document.querySelector('#sheet').dataset.sheet")
    rows = ["1,A,1,yes", "1,B,2,no", "1,,,similar", "2,,,B"]
    assert lines == ["sheet,rater,pair,side,shot,answer", *(f'{number},"Ann, ""A""",{row}' for row in rows)]
    assert browser.complaints == []
