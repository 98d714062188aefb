"""A page as a parser sees it, and ranked videos to make one of."""

import io
from html.parser import HTMLParser

import numpy as np
from PIL import Image

from widemargin.report import EventPage, Evidence, Hit

VOID = {"meta", "img", "br", "link", "input", "hr"}
EVIL = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>'&\""


class Page(HTMLParser):
    """Tags with their attributes; complains about elements that are not closed in order."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.text = [], [], ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in {"style", "script"}:
            self.text += data

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def thumbnail(seed=0, width=64, height=36):
    """Return a small JPEG picture of noise."""
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG")
    return file.getvalue()


def evidence(place=0, start=1.0, **changes):
    """Return a shot of a second and a half."""
    concepts = (("street sign", 0.61), ("crash helmet", 0.204))
    values = {
        "start": start,
        "end": start + 1.5,
        "time": start + 0.75,
        "score": 0.5 - place,
        "saliency": 0.9,
        "weight": 0.25,
        "position": place,
        "concepts": concepts,
        "thumbnail": thumbnail(place),
    }
    return Evidence(**values | changes)


def event_page(*hits, kind="rank", **changes):
    """Return a page of some hits, or of two."""
    hits = hits or (
        Hit("one.mp4", "one.mp4", 1.5, duration=185.0, strip=tuple(evidence(i, 1.0 + i) for i in range(8))),
        Hit("two.mp4", "two.mp4", -0.5, "partial", ("3 packets are damaged",), strip=(evidence(),)),
    )
    values = {
        "title": "Fights",
        "description": "two men fighting",
        "notes": ("Ranked by a detector.",),
        "weights": (0.5, 0.3, 0.1),
    }
    return EventPage(kind=kind, hits=hits, **values | changes)
