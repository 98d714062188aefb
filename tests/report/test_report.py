"""The page: self-contained, escaped, accessible, and honest about what it could not read."""

import base64
import json
import re

import pytest

from experiments.toy_experiment import Recorder, toy_experiment
from report.pages import Page
from widemargin.experiments import Settings, run_experiment
from widemargin.report import has_foreign_page, load_results, write_report

EVIL = "<script>alert('x')</script>\"&"


def make(out, **options):
    run_experiment(toy_experiment(**options), Settings(repeats=2), out, observer=Recorder())


def page_of(out, order=()):
    results = write_report(out, order)
    text = (out / "index.html").read_text(encoding="utf-8")
    return Page(text), text, results


def test_the_page_needs_nothing_but_itself(tmp_path):
    make(tmp_path)
    page, text, results = page_of(tmp_path)
    assert results.problems == ()
    assert all(image["src"].startswith("data:image/") for image in page.all("img"))
    assert page.all("link") == page.all("script") == page.all("iframe") == []
    targets = {attributes["href"] for attributes in page.all("a")}
    assert targets == {"#toy", "toy/accuracies.csv"}
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL).group(1)
    assert "url(" not in style
    assert "@import" not in style
    policy = [a["content"] for a in page.all("meta") if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]


def test_only_pages_of_ours_may_be_replaced(tmp_path):
    assert not has_foreign_page(tmp_path)
    write_report(tmp_path)
    page = tmp_path / "index.html"
    text = page.read_text(encoding="utf-8")
    assert not has_foreign_page(tmp_path)
    # Earlier reports have the title only.
    page.write_text(text.replace('<meta name="generator" content="widemargin">\n', ""), encoding="utf-8")
    assert "generator" not in page.read_text(encoding="utf-8")
    assert not has_foreign_page(tmp_path)
    page.write_text("<title>My report on widemargin</title>", encoding="utf-8")
    assert has_foreign_page(tmp_path)
    page.unlink()
    page.mkdir()
    assert has_foreign_page(tmp_path)


def test_everything_is_escaped(tmp_path):
    make(tmp_path, tasks=(EVIL, "dog"))
    page, text, _ = page_of(tmp_path)
    assert "<script" not in text
    assert page.all("script") == []
    assert page.text.count(EVIL) >= 4  # title, verdict, table, figure title
    assert EVIL in page.all("img")[0]["alt"]


def test_figures_have_words_and_tables_have_captions_and_scopes(tmp_path):
    make(tmp_path)
    page, _, _ = page_of(tmp_path)
    assert [image["alt"] for image in page.all("img")] == ["A line that rises, for cat."]
    assert len(page.all("caption")) == len(page.all("table")) == 2
    assert all("scope" in heading for heading in page.all("th"))
    assert page.all("html")[0]["lang"] == "en"
    assert [a["content"] for a in page.all("meta") if a.get("name") == "viewport"]
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    labels = {
        attributes["aria-labelledby"] for _, attributes in page.elements if "aria-labelledby" in attributes
    }
    assert labels <= set(ids)


def test_the_verdict_comes_first_and_the_parts_in_order(tmp_path):
    make(tmp_path)
    page, _, _ = page_of(tmp_path)
    parts = [
        "Better is better, on cat, dog.",
        "Toy of cat, dog",
        "Toy accuracies",
        "Beside the paper",
        "Figures",
        "How it was done",
        "Where it was done",
    ]
    places = [page.text.index(part) for part in parts]
    assert places == sorted(places)


def test_a_claim_has_its_answer_and_a_difference_only_if_some_line_has_one(tmp_path):
    make(tmp_path)
    page, _, _ = page_of(tmp_path)
    cells = [attributes for attributes in page.all("td") if "data-label" in attributes]
    assert [cell["data-label"] for cell in cells] == ["paper", "ours", "difference", "tendency", "in words"]
    path = tmp_path / "toy/run.json"
    record = json.loads(path.read_text())
    record["summary"]["comparisons"][0] |= {"difference": "", "answer": "not clear"}
    path.write_text(json.dumps(record))
    page, _, _ = page_of(tmp_path)
    cells = [attributes for attributes in page.all("td") if "data-label" in attributes]
    assert [cell["data-label"] for cell in cells] == ["paper", "ours", "tendency", "in words"]
    assert "agreement not-clear" in [attributes.get("class") for attributes in page.all("span")]


def test_the_title_stands_once_below_the_question(tmp_path):
    make(tmp_path)
    page, _, _ = page_of(tmp_path)
    assert page.text.count("Toy of cat, dog") == 1
    assert page.text.index("Does it run?") < page.text.index("Toy of cat, dog")


def figure_of(page):
    (figure,) = page.all("figure")
    (image,) = page.all("img")
    return figure.get("class"), image["width"], image["height"]


def test_figures_have_their_size_and_wide_ones_span_the_page(tmp_path):
    make(tmp_path)
    svg = tmp_path / "toy/figures/line.svg"
    # Drawn at 2 x 1 inches; 96 CSS pixels are an inch.
    assert figure_of(page_of(tmp_path)[0]) == ("wide", "192", "96")
    svg.write_text(svg.read_text().replace('viewBox="0 0 144 72"', 'viewBox="0 0 144 96"'))
    assert figure_of(page_of(tmp_path)[0]) == (None, "192", "128")
    svg.unlink()
    # The PNG has 150 pixels an inch.
    assert figure_of(page_of(tmp_path)[0]) == ("wide", "300", "150")


def test_the_experiments_follow_the_given_order(tmp_path):
    for name in ("a", "b", "c"):
        make(tmp_path, name=name)
    assert [e.record.name for e in load_results(tmp_path, ["c"]).experiments] == ["c", "a", "b"]


def test_a_partial_run_says_how_much_it_rests_on(tmp_path):
    make(tmp_path, stop_at=("dog", 1), stop_with=KeyboardInterrupt())
    page, _, _ = page_of(tmp_path)
    assert "Rests on 3 of 4 units (one repeat of one task each): 1 to 2 of 2 repeats of a task." in page.text
    assert "partial" in page.text


def test_an_experiment_without_results_is_shown_as_such(tmp_path):
    make(tmp_path, stop_at=("cat", 0), stop_with=KeyboardInterrupt())
    page, _, _ = page_of(tmp_path)
    assert "No result yet." in page.text


def test_an_empty_folder_makes_a_page(tmp_path):
    page, _, _ = page_of(tmp_path)
    assert "no readable results yet" in page.text


def test_a_damaged_record_is_named_and_the_others_are_shown(tmp_path):
    make(tmp_path, name="good")
    make(tmp_path, name="bad")
    (tmp_path / "bad/run.json").write_text('{"name": "<b>"}')
    page, _, results = page_of(tmp_path)
    assert len(results.problems) == 1
    assert "bad is left out" in page.text
    assert [e.record.name for e in results.experiments] == ["good"]


def test_foreign_folders_and_results_moved_aside_are_passed_over(tmp_path):
    make(tmp_path)
    (tmp_path / "holiday").mkdir()
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "toy").rename(tmp_path / "toy.previous")
    make(tmp_path)
    (tmp_path / "toy").rename(tmp_path / "toy.previous-2")
    results = load_results(tmp_path)
    assert results.experiments == ()
    assert results.problems == ()


def test_a_damaged_svg_is_replaced_by_the_png_and_without_both_the_figure_is_left_out(tmp_path):
    make(tmp_path)
    (tmp_path / "toy/figures/line.svg").write_text("<svg> cut off")
    page, _, results = page_of(tmp_path)
    assert page.all("img")[0]["src"].startswith("data:image/png;base64,iVBOR")
    assert results.problems == ()
    png = tmp_path / "toy/figures/line.png"
    png.write_bytes(png.read_bytes()[:100])
    page, _, results = page_of(tmp_path)
    assert page.all("img") == []
    assert "The figure “A line for cat” of toy is left out" in results.problems[0]


@pytest.mark.parametrize("place", ["../secret.svg", "{root}/secret.svg"])
def test_a_record_cannot_draw_files_from_elsewhere_into_the_page(tmp_path, place):
    out = tmp_path / "out"
    out.mkdir()
    make(out)
    secret = b"<svg>secret</svg>"
    (tmp_path / "secret.svg").write_bytes(secret)
    (out / "secret.svg").write_bytes(secret)
    path = out / "toy/run.json"
    record = json.loads(path.read_text())
    record["figures"][0]["svg"] = place.format(root=tmp_path)
    record["tables"][0]["file"] = place.format(root=tmp_path)
    path.write_text(json.dumps(record))
    _, text, results = page_of(out)
    assert base64.b64encode(secret).decode() not in text
    assert "is missing" in results.problems[0]


def test_a_table_changed_after_the_run_is_reported(tmp_path):
    make(tmp_path)
    path = tmp_path / "toy/accuracies.csv"
    path.write_text(path.read_text() + "cat,7,1,1,1,1\n")
    assert "has 5 rows, its record says 4" in load_results(tmp_path).problems[0]
    path.unlink()
    assert "accuracies.csv is missing" in load_results(tmp_path).problems[0]
