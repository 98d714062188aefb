"""Video files as shots: where one ends and the next begins, and a picture of each."""

from __future__ import annotations

from widemargin.video.described import DescribedVideo
from widemargin.video.errors import VideoError
from widemargin.video.reading import VideoReader
from widemargin.video.settings import ShotSettings
from widemargin.video.summary import KeyFrame, Shot, VideoSummary
from widemargin.video.writing import write_video

__all__ = [
    "DescribedVideo",
    "KeyFrame",
    "Shot",
    "ShotSettings",
    "VideoError",
    "VideoReader",
    "VideoSummary",
    "write_video",
]
