"""A folder that holds what is known of many videos, each decoded and described once."""

from __future__ import annotations

from widemargin.events.index.errors import VideoIndexError
from widemargin.events.index.indexing import IndexResult
from widemargin.events.index.settings import IndexSettings, NetworkSpec
from widemargin.events.index.video_index import IndexedVideos, VideoIndex

__all__ = ["IndexResult", "IndexSettings", "IndexedVideos", "NetworkSpec", "VideoIndex", "VideoIndexError"]
