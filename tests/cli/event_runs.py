"""A folder of tiny videos of plain colours, and the commands about events run on it."""

import json

from typer.testing import CliRunner

from events.index_videos import BLUE, GREEN, RED, colour_network, colours
from widemargin.cli.main import app

VIDEOS = {
    "fire 1.mp4": (RED, GREEN),
    "fire 2.mp4": (BLUE, RED, GREEN),
    "fire 3.mp4": (GREEN, RED),
    "lawn 1.mp4": (GREEN, BLUE),
    "lawn 2.mp4": (GREEN,),
    "sea 1.mp4": (BLUE, GREEN),
    "sea 2.mp4": (BLUE,),
}

# Fire is red, grass is green and water is blue, in three dimensions.
WORDS = """\
red 1 0.1 0
green 0 1 0.1
blue 0.1 0 1
fire 0.9 0.1 0.1
grass 0.1 0.9 0.1
water 0.1 0.1 0.9
"""


def call(*arguments, **options):
    """Run a command about events."""
    return CliRunner().invoke(app, ["events", *map(str, arguments)], **options)


def lines_of(result):
    """Return the lines that a command printed, as lists of values."""
    assert result.exit_code == 0, result.output
    return [line.split("\t") for line in result.stdout.splitlines()]


def make_folder(folder):
    """Make a folder with videos, a network and word vectors."""
    for name, shots in VIDEOS.items():
        colours(folder / "videos" / name, *shots)
    colour_network(folder / "colours.onnx")
    (folder / "words.txt").write_text(WORDS)
    return folder


def index_options(folder):
    """Return the options that make an index in a folder with its network."""
    network = ("--network", folder / "colours.onnx", "--preprocess", "unit")
    return ("--index", folder / "index", *network, "--extra-frames", 4)


def write_lines(path, *lines):
    """Write lines into a file, and return its path."""
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def write_json(path, value):
    """Write a value as JSON into a file, and return its path."""
    path.write_text(json.dumps(value))
    return path
