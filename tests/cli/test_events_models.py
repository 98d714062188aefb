"""``widemargin events`` train, rank, recognize, recount and evaluate: from marked videos to the evidence."""

import csv
import re
import shutil

import pytest

pytest.importorskip("av")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytest.importorskip("skops")

from cli.event_runs import VIDEOS, call, lines_of, write_json, write_lines
from widemargin.persistence import load_event_model

FIRES = ("fire 1.mp4", "fire 2.mp4", "fire 3.mp4")
EVENTS = [
    {"name": "fire", "description": "a fire", "labels": list(FIRES)},
    {"name": "lawn", "description": "grass", "labels": ["lawn 1", "lawn 2"]},
    {"name": "sea", "description": "water", "labels": ["sea 1", "sea 2"]},
]


@pytest.fixture(scope="module")
def models(indexed, tmp_path_factory):
    """A folder with a detector of fires and a recognizer of three events."""
    folder = tmp_path_factory.mktemp("models")
    positives = write_lines(folder / "fires.txt", "# videos with fires", "", *FIRES)
    penalties = ("--isotonic-alpha", 0.01, "--alpha", 0.01)
    result = train(
        indexed,
        "--event",
        "fire",
        "--positives",
        positives,
        "--rest",
        "--out",
        folder / "fire.skops",
        *penalties,
    )
    assert result.exit_code == 0, result.output
    events = write_json(folder / "events.json", EVENTS)
    result = train(indexed, "--events", events, "--out", folder / "events.skops", *penalties)
    assert result.exit_code == 0, result.output
    return folder


def train(indexed, *arguments, **options):
    return call(
        "train", "--index", indexed / "index", "--vectors", indexed / "words.txt", *arguments, **options
    )


def on_index(indexed, command, *arguments):
    return call(command, *arguments, "--index", indexed / "index")


def check_refused(result, *words):
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert len(result.stderr.splitlines()) == 1
    for word in words:
        assert word in result.stderr


def test_a_detector_ranks_what_it_was_shown_first(indexed, models):
    lines = lines_of(on_index(indexed, "rank", models / "fire.skops"))
    assert sorted(line[0] for line in lines[:3]) == list(FIRES)
    assert sorted(line[0] for line in lines) == sorted(VIDEOS)
    scores = [float(line[1]) for line in lines]
    assert scores == sorted(scores, reverse=True)
    assert lines_of(on_index(indexed, "rank", models / "fire.skops", "--top", 1)) == lines[:1]


def test_the_model_keeps_what_it_was_made_of(indexed, models):
    model = load_event_model(models / "fire.skops")
    assert (model.name, model.description, tuple(model.concept_names)) == (
        "fire",
        "fire",
        ("red", "green", "blue"),
    )
    # The mean number of shots, 13 / 7, rounded.
    assert model.n_shots_ == 2
    assert list(model.feature_digests_) == ["colours"]


def test_videos_are_named_in_every_way_that_is_promised(indexed, tmp_path):
    names = [str(indexed / "videos" / "fire 1.mp4"), "fire 2", "fire 3.mp4", "fire 3"]
    positives = write_lines(tmp_path / "positives.txt", *names)
    negatives = write_lines(tmp_path / "negatives.txt", "sea 1", "lawn 1.mp4")
    result = train(
        *(indexed, "--event", "fire", "--positives", positives, "--negatives", negatives, "--name", "blaze"),
        *("--out", tmp_path / "model.skops", "--isotonic-alpha", 0.1, "--alpha", 0.1, "--n-shots", 3),
    )
    assert result.exit_code == 0, result.output
    assert (
        "'blaze', trained on 3 videos with the event and 2 without it, with the penalties given."
        in result.stdout
    )
    assert "Shots a video: 3; isotonic_alpha 0.1, alpha 0.1." in result.stdout


def test_a_list_comes_from_the_standard_input(indexed, tmp_path):
    result = train(
        *(indexed, "--event", "fire", "--positives", "-", "--rest", "--out", tmp_path / "model.skops"),
        *("--isotonic-alpha", 0, "--alpha", 0.1),
        input="fire 1\nfire 2\n",
    )
    assert result.exit_code == 0, result.output
    assert "trained on 2 videos with the event and 5 without it" in result.stdout


def test_penalties_are_chosen_by_cross_validation(indexed, tmp_path):
    positives = write_lines(tmp_path / "positives.txt", *FIRES)
    result = train(
        *(indexed, "--event", "fire", "--positives", positives, "--rest", "--out", tmp_path / "model.skops"),
        *("--isotonic-alpha", 0.02, "--loss", "squared", "--norm", 1),
    )
    assert result.exit_code == 0, result.output
    assert "with penalties chosen by cross-validation" in result.stdout
    assert "isotonic_alpha 0.02" in result.stdout
    (classifier,) = load_event_model(tmp_path / "model.skops").classifiers_
    assert (classifier.loss, classifier.norm) == ("squared", 1)


def test_one_positive_is_enough(indexed, tmp_path):
    positives = write_lines(tmp_path / "positives.txt", "fire 1")
    model = tmp_path / "model.skops"
    result = train(indexed, "--event", "fire", "--positives", positives, "--rest", "--out", model)
    assert result.exit_code == 0, result.output
    assert "trained on 1 video with the event" in result.stdout
    assert "with the default penalties" in result.stdout
    assert lines_of(on_index(indexed, "rank", model))[0][0].startswith("fire")


LISTS = {
    "fires": FIRES,
    "all": tuple(VIDEOS),
    "unknown": ("fire 1", "fyre 2.mp4", "nothing like it"),
    "sea": ("sea 1",),
    "both": ("sea 1", "fire 3"),
    "empty": ("# nothing",),
}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), ["--event", "--events"]),
        (("--event", "fire", "--events", "fires"), ["not both"]),
        (("--events", "fires", "--rest"), ["--rest goes with --event"]),
        (("--event", "fire"), ["--positives is missing"]),
        (("--event", "fire", "--positives", "fires"), ["--negatives", "--rest"]),
        (("--event", "fire", "--positives", "fires", "--negatives", "sea", "--rest"), ["exclude each other"]),
        (("--event", "fire", "--positives", "-", "--negatives", "-"), ["both the standard input"]),
        (
            ("--event", "fire", "--positives", "unknown", "--rest"),
            ["'fyre 2.mp4'", "'nothing like it'", "2 videos"],
        ),
        (("--event", "fire", "--positives", "fires", "--negatives", "both"), ["In both lists: 'fire 3.mp4'"]),
        (("--event", "fire", "--positives", "all", "--rest"), ["All 7 videos"]),
        (("--event", "fire", "--positives", "empty", "--rest"), ["names no video"]),
        (("--event", "fire", "--positives", "gone", "--rest"), ["'gone' cannot be read"]),
        (("--event", "", "--positives", "fires", "--rest"), ["no words"]),
        (("--event", "unicorn", "--positives", "fires", "--rest"), ["'unicorn'"]),
        (
            ("--event", "fire", "--positives", "fires", "--rest", "--features", "sound"),
            ["'sound'", "'colours'"],
        ),
        (("--event", "fire", "--positives", "fires", "--rest", "--fusion", "sum"), ["--fusion is 'sum'"]),
        (("--event", "fire", "--positives", "fires", "--rest", "--norm", 3), ["--norm is 3"]),
        (("--event", "fire", "--positives", "fires", "--rest", "--alpha", -1), ["--alpha is -1"]),
        (("--event", "fire", "--positives", "fires", "--rest", "--n-shots", 0), ["--n-shots is 0"]),
    ],
)
def test_what_cannot_be_trained_is_one_sentence(indexed, tmp_path, monkeypatch, arguments, words):
    for name, lines in LISTS.items():
        write_lines(tmp_path / name, *lines)
    monkeypatch.chdir(tmp_path)
    check_refused(train(indexed, *arguments, "--out", "model.skops"), *words)
    assert not (tmp_path / "model.skops").exists()


@pytest.mark.parametrize(
    ("out", "words"), [(".", "which is a folder"), ("gone/m", "cannot be written"), ("p", "is read")]
)
def test_a_model_is_not_trained_if_it_cannot_be_written(indexed, tmp_path, monkeypatch, out, words):
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "p", *FIRES)
    check_refused(
        train(indexed, "--event", "fire", "--positives", "p", "--rest", "--out", out), "--out", words
    )


def test_a_video_with_two_events_is_refused(indexed, tmp_path):
    events = write_json(
        tmp_path / "events.json", [EVENTS[0], {"name": "sea", "labels": ["sea 1", "fire 2.mp4"]}]
    )
    check_refused(
        train(indexed, "--events", events, "--out", tmp_path / "m"), "'fire 2.mp4'", "'fire'", "'sea'"
    )


def test_events_in_a_table(indexed, tmp_path):
    lines = ["name;description;labels", "fire;a fire;fire 1", "fire;;fire 2", "sea;water;sea 1"]
    events = write_lines(tmp_path / "events.csv", *lines)
    result = train(indexed, "--events", events, "--out", tmp_path / "m", "--isotonic-alpha", 0, "--alpha", 1)
    assert result.exit_code == 0, result.output
    assert "recognizer of 2 events, trained on 3 videos" in result.stdout


def test_a_recognizer_names_an_event_for_each_video(indexed, models):
    lines = lines_of(on_index(indexed, "recognize", models / "events.skops"))
    assert [line[0] for line in lines] == sorted(VIDEOS)
    found = {line[0]: line[1] for line in lines}
    assert all(found[name] == "fire" for name in FIRES)
    assert found["lawn 2.mp4"] == "lawn"
    assert found["sea 2.mp4"] == "sea"
    assert all(float(line[2]) == pytest.approx(float(line[2])) for line in lines)


def test_a_recognizer_ranks_for_one_of_its_events(indexed, models):
    check_refused(on_index(indexed, "rank", models / "events.skops"), "'fire', 'lawn', 'sea'")
    check_refused(on_index(indexed, "rank", models / "events.skops", "--event", "ski"), "'ski'")
    assert lines_of(on_index(indexed, "rank", models / "events.skops", "--event", "sea"))[0][0] == "sea 2.mp4"
    check_refused(on_index(indexed, "recognize", models / "fire.skops"), "events rank")


def test_the_shots_that_prove_it_come_first(indexed, models):
    lines = lines_of(on_index(indexed, "recount", models / "fire.skops", "fire 2"))
    time, score, saliency, concepts = lines[0]
    assert time == "0:00:01.0-0:00:02.0"
    assert re.fullmatch(r"red 0\.\d\d", concepts)
    assert float(score) > float(lines[1][1])
    assert float(saliency) > float(lines[1][2])


def test_the_index_of_the_training_is_found_without_being_named(indexed, models, tmp_path):
    named = on_index(indexed, "recount", models / "fire.skops", "fire 2")
    found = call("recount", models / "fire.skops", "fire 2")
    assert lines_of(found) == lines_of(named)
    shutil.copytree(indexed / "index", tmp_path / "index")
    positives = write_lines(tmp_path / "fires.txt", *FIRES)
    learn = (
        "train",
        "--index",
        tmp_path / "index",
        "--vectors",
        indexed / "words.txt",
        "--event",
        "fire",
        "--rest",
    )
    lines_of(call(*learn, "--positives", positives, "--out", tmp_path / "moved.skops"))
    shutil.rmtree(tmp_path / "index")
    check_refused(call("recount", tmp_path / "moved.skops", "fire 2"), "moved.skops", "--index")


def test_a_page_without_a_name_gets_one(indexed, models, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines_of(on_index(indexed, "rank", models / "fire.skops", "--html"))
    lines_of(
        call("search", "fire", "--vectors", indexed / "words.txt", "--index", indexed / "index", "--html")
    )
    lines_of(on_index(indexed, "recount", models / "fire.skops", "fire 2", "--html=named.html"))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "events-rank.html",
        "events-search.html",
        "named.html",
    ]


def test_of_several_videos_each_line_has_the_name(indexed, models):
    result = on_index(indexed, "recount", models / "events.skops", "fire 2", "sea 2", "--top", 1)
    assert result.stderr.splitlines() == [
        "fire 2.mp4: evidence for 'fire', which was recognised.",
        "sea 2.mp4: evidence for 'sea', which was recognised.",
    ]
    lines = lines_of(result)
    assert [line[0] for line in lines] == ["fire 2.mp4", "sea 2.mp4"]
    assert lines[0][1] == "0:00:01.0-0:00:02.0"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("fire.skops", "gone.mp4"), ["'gone.mp4'"]),
        (("fire.skops", "fire 1", "--event", "sea"), ["'sea'", "'fire'"]),
        (("events.skops", "fire 1", "--event", "ski"), ["'ski'"]),
        (("fire.skops", "fire 1", "--top", 0), ["--top is 0"]),
        (("fire.skops", "fire 1", "--seed", -1), ["--seed is -1"]),
        (("fire.skops", "fire 1", "--blind", "."), ["--blind"]),
        (("events.skops", "fire 1", "--blind", "sheet.html"), ["detector"]),
    ],
)
def test_evidence_that_cannot_be_had(indexed, models, monkeypatch, arguments, words):
    monkeypatch.chdir(models)
    check_refused(on_index(indexed, "recount", *arguments), *words)


@pytest.mark.parametrize(
    "command",
    [
        ("rank", "fire.skops"),
        ("rank", "events.skops", "--event", "fire"),
        ("recognize", "events.skops"),
        ("recount", "fire.skops", "fire 1", "fire 2"),
        ("recount", "events.skops", "fire 1", "fire 2", "--event", "fire"),
        ("recount", "events.skops", "fire 1", "fire 2"),
    ],
)
def test_pages_show_the_evidence(indexed, models, tmp_path, monkeypatch, command):
    monkeypatch.chdir(models)
    page = tmp_path / "page.html"
    result = on_index(indexed, *command, "--html", page)
    assert result.exit_code == 0, result.output
    assert result.stderr.splitlines()[-1] == f"Page: {page}"
    html = page.read_text()
    assert "data:image/jpeg" in html
    assert "fire 1.mp4" in html
    assert "fire 2.mp4" in html
    assert "red" in html


def test_a_blind_sheet_has_its_key_beside_it(indexed, models, tmp_path):
    sheet = tmp_path / "sheet.html"
    result = on_index(indexed, "recount", models / "fire.skops", *FIRES, "--blind", sheet, "--seed", 3)
    assert result.exit_code == 0, result.output
    with (tmp_path / "sheet-key.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["video"] for row in rows] == [str(indexed / "videos" / name) for name in FIRES]
    assert {(row["A"], row["B"]) for row in rows} <= {
        ("nearly-isotonic SVM", "average pooling"),
        ("average pooling", "nearly-isotonic SVM"),
    }
    body = sheet.read_text().split("<body>")[1].split("<script>")[0]
    assert "isotonic" not in body
    assert "pooling" not in body


def test_average_precision_of_a_detector(indexed, models, tmp_path):
    assert lines_of(
        on_index(indexed, "evaluate", models / "fire.skops", "--truth", models / "fires.txt")
    ) == [["fire", "1.0000"]]
    # Of these two the fourth and the fifth have the next scores: (1/4 + 2/5) / 2.
    others = write_lines(tmp_path / "others.txt", "lawn 2", "sea 2")
    result = on_index(indexed, "evaluate", models / "fire.skops", "--truth", others)
    assert lines_of(result) == [["fire", "0.3250"]]
    result = on_index(
        indexed, "evaluate", models / "fire.skops", "--truth", others, "--without", models / "fires.txt"
    )
    assert lines_of(result) == [["fire", "1.0000"]]


def test_mean_average_precision_of_several_detectors(indexed, models, tmp_path):
    positives = write_lines(tmp_path / "seas.txt", "sea 1", "sea 2")
    model = tmp_path / "sea.skops"
    result = train(
        *(indexed, "--event", "water", "--name", "sea", "--positives", positives, "--rest", "--out", model),
        *("--isotonic-alpha", 0.01, "--alpha", 0.01),
    )
    assert result.exit_code == 0, result.output
    truth = write_lines(
        tmp_path / "truth.csv", "video,event", "fire 1,fire", "fire 2,fire;sea", "sea 2,sea", "lawn 2,"
    )
    result = on_index(indexed, "evaluate", models / "fire.skops", model, "--truth", truth)
    assert [line[0] for line in lines_of(result)] == ["fire", "sea", "mAP"]
    fire, sea, mean = (float(line[1]) for line in lines_of(result))
    assert fire == 1
    assert mean == pytest.approx((fire + sea) / 2, abs=1e-4)
    assert "not counted: 3 of 7 videos" in result.stderr
    check_refused(
        on_index(indexed, "evaluate", models / "fire.skops", model, "--truth", positives), "'fire', 'sea'"
    )


def test_f1_of_a_recognizer(indexed, models, tmp_path):
    rows = ("fire 1,fire", "fire 2,fire", "lawn 2,lawn", "sea 2,sea", "sea 1,wave")
    truth = write_lines(tmp_path / "truth.csv", "video,label", *rows)
    result = on_index(indexed, "evaluate", models / "events.skops", "--truth", truth)
    assert lines_of(result) == [
        ["fire", "1.0000"],
        ["lawn", "1.0000"],
        ["sea", "1.0000"],
        ["mean F1", "1.0000"],
    ]
    assert "not counted: 1 of 5 videos" in result.stderr


@pytest.mark.parametrize(
    ("names", "truth", "words"),
    [
        (("events.skops",), ("fire 1",), "columns video and event"),
        (("events.skops",), ("video,event", "fire 1,fire;sea"), "several events"),
        (("events.skops",), ("video,event", "fire 1,ski"), "none of the events"),
        (("fire.skops", "events.skops"), ("video,event", "fire 1,fire"), "is a recognizer"),
        (("fire.skops",), ("fire 1", "nothing"), "'nothing'"),
        (("fire.skops",), ("video,event", "fire 1,ski"), "0 of 1"),
    ],
)
def test_truth_that_does_not_go_with_the_models(indexed, models, tmp_path, names, truth, words):
    path = write_lines(tmp_path / "truth", *truth)
    result = on_index(indexed, "evaluate", *(models / name for name in names), "--truth", path)
    assert result.exit_code == 2
    assert words in result.stderr


def test_a_foreign_or_damaged_model_is_one_sentence(indexed, models, tmp_path):
    check_refused(on_index(indexed, "rank", tmp_path / "gone.skops"), "does not exist")
    check_refused(on_index(indexed, "rank", indexed / "words.txt"), "not a model")
    (tmp_path / "half.skops").write_bytes((models / "fire.skops").read_bytes()[:2000])
    check_refused(on_index(indexed, "recount", tmp_path / "half.skops", "fire 1"), "half.skops")
    check_refused(call("rank", models / "fire.skops", "--index", tmp_path), "is no index")


@pytest.mark.parametrize("change", ["network", "kind", "concepts"])
def test_a_model_of_another_network_or_other_concepts_is_told(indexed, models, tmp_path, change):
    network = shutil.copy(indexed / "colours.onnx", tmp_path / "colours.onnx")
    options = ["--network", f"other={network}" if change == "kind" else network]
    if change == "network":
        options += ["--preprocess", "unit", "--feature-output", "logits"]
    elif change == "kind":
        options += ["--preprocess", "unit"]
    else:
        options += [
            "--preprocess",
            "unit",
            "--classes",
            write_lines(tmp_path / "names.txt", "red", "grass", "blue"),
        ]
    videos = [indexed / "videos" / name for name in ("fire 1.mp4", "sea 2.mp4")]
    assert call("index", *videos, "--index", tmp_path / "index", *options).exit_code == 0
    result = call("rank", models / "fire.skops", "--index", tmp_path / "index")
    words = {"network": ["of the network"], "kind": ["'colours'", "'other'"], "concepts": ["network"]}
    check_refused(result, "fire.skops", "index", *words[change])


def test_concepts_that_were_added_since_are_told(indexed, models, tmp_path):
    shutil.copytree(indexed / "index", tmp_path / "index")
    names = [*(f"{name},hot" for name in FIRES), "sea 2,cold", "sea 1,cold"]
    table = write_lines(tmp_path / "labels.csv", "file,concept", *names)
    assert call("concepts", "--index", tmp_path / "index", "--labels", table).exit_code == 0
    result = call("rank", models / "fire.skops", "--index", tmp_path / "index")
    check_refused(result, "the index alone has 'hot', 'cold'")
