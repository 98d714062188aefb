"""From a file name that nobody vouches for to an open video stream, without opening anything else."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, NoReturn

import av

from widemargin.video.errors import VideoError

__all__ = ["check_frame_size", "open_video"]

# Demuxers of formats that hold pictures in the file itself. Left out are those that name other files or addresses
# (playlists, manifests, concat scripts, SDP, numbered images) and those that read any text or bytes (tty, rawvideo).
_FORMATS = (
    "3g2,3gp,aiff,amv,apng,asf,av1,avi,avs2,avs3,bink,cavsvideo,cdxl,dirac,dnxhd,dv,dxa,ea,film_cpk,flic,flv,gif,gxf,"
    "h261,h263,h264,hevc,image2pipe,ivf,ivr,jpeg_pipe,kux,m4a,m4v,matroska,mj2,mjpeg,mjpeg_2000,mlv,mov,mp3,mp4,mpeg,"
    "mpegts,mpegtsraw,mpegvideo,mpjpeg,mv,mxf,nut,nuv,obu,ogg,pmp,png_pipe,pva,rl2,rm,roq,rpl,smk,smush,swf,thp,"
    "vc1,vc1test,vmd,vvc,wav,webm,webp_anim,wtv,wv,xmv,yop,yuv4mpegpipe,aac,ac3,flac"
)
_BUFFER_SIZE = 2**18
_LEAST_DECODER_LIMIT = 2**24


@contextmanager
def open_video(path: str, *, max_pixels: int, n_threads: int = 1) -> Iterator[tuple[Any, Any]]:
    """Open a file as a container and choose the stream of its moving picture.

    The name is opened as an ordinary file and never interpreted, so that ``concat:...`` or an address is only a file
    name. FFmpeg gets the bytes, no name, and is refused every further file that a format may ask for.

    Parameters
    ----------
    path : str
        The file.
    max_pixels : int
        Largest frame in pixels that may be decoded.
    n_threads : int, default=1
        Threads of the decoder, at least 1.

    Yields
    ------
    container : av.container.InputContainer
        The file.
    stream : av.VideoStream
        The stream of pictures that is no cover art; of several the one that FFmpeg prefers.

    Raises
    ------
    VideoError
        If the name is no ordinary file that can be read, the file is in no format that is read, it has no moving
        picture, nothing decodes its kind, or its frames are too large.
    """
    with _ordinary_file(path) as file, _container(file) as container:
        stream = _picture_stream(container)
        check_frame_size(stream.codec_context.width, stream.codec_context.height, max_pixels)
        # FFmpeg counts pixels with padding. Its own limit is a safeguard against frames that grow in mid-stream.
        stream.codec_context.options = {"max_pixels": str(max(2 * max_pixels, _LEAST_DECODER_LIMIT))}
        stream.codec_context.thread_count = n_threads
        stream.thread_type = "AUTO" if n_threads > 1 else "NONE"
        yield container, stream


def check_frame_size(width: int, height: int, max_pixels: int) -> None:
    """Refuse frames that are too large to be decoded.

    Parameters
    ----------
    width, height : int
        Size of a frame in pixels.
    max_pixels : int
        Largest number of pixels.

    Raises
    ------
    VideoError
        If the frame has more.
    """
    if width * height > max_pixels:
        raise VideoError(
            f"Its frames are {width} x {height} pixels, more than max_pixels = {max_pixels}: scale the video down, or "
            f"pass ShotSettings(max_pixels={width * height}) or more."
        )


@contextmanager
def _ordinary_file(path: str) -> Iterator[BinaryIO]:
    """Open a file for reading, unless it is a folder, a pipe or a device."""
    # Without this flag the opening of a pipe waits for a writer.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError):
            raise VideoError("There is no such file: check the name.") from error
        # Systems differ in whether a folder can be opened.
        if os.path.isdir(path):
            raise VideoError("It is a folder: pass the video files in it.") from error
        reason = getattr(error, "strerror", None) or str(error)
        raise VideoError(f"It cannot be opened ({reason}).") from error
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise VideoError("It is a folder: pass the video files in it.")
        if not stat.S_ISREG(status.st_mode):
            raise VideoError("It is no ordinary file but a pipe or a device: copy the video to a file.")
        if not status.st_size:
            raise VideoError("The file is empty.")
        with open(descriptor, "rb", buffering=0, closefd=False) as file:
            yield file
    finally:
        os.close(descriptor)


@contextmanager
def _container(file: BinaryIO) -> Iterator[Any]:
    """Let FFmpeg find out what the bytes of a file are."""
    try:
        container = av.open(
            file,
            metadata_errors="replace",
            buffer_size=_BUFFER_SIZE,
            io_open=_refuse,
            container_options={"format_whitelist": _FORMATS, "protocol_whitelist": "none"},
        )
    except MemoryError as error:
        raise VideoError("It needs more memory to open than is allowed.") from error
    except (av.error.FFmpegError, ValueError) as error:
        raise VideoError(
            "It is no video of a format that is read, or its start is missing or damaged: play it, or convert it with "
            "FFmpeg."
        ) from error
    with container:
        yield container


def _refuse(url: str, flags: int, options: dict[str, str]) -> NoReturn:
    """Open nothing for a format that asks for another file."""
    raise PermissionError(errno.EACCES, "A video must not open another file")


def _picture_stream(container: Any) -> Any:
    """Return the stream of moving pictures."""
    streams = [stream for stream in container.streams.video if not _is_cover(stream)]
    if not streams:
        if container.streams.video:
            raise VideoError("The file has no video, only cover art: pass files with moving pictures.")
        if container.streams.audio:
            raise VideoError("The file has no video, only sound: pass files with moving pictures.")
        raise VideoError("The file has no video: pass files with moving pictures.")
    readable = [stream for stream in streams if stream.codec_context is not None]
    if not readable:
        raise VideoError("FFmpeg here has no decoder for its pictures: convert it to H.264, for example.")
    best = container.streams.best("video")
    return best if best in readable else readable[0]


def _is_cover(stream: Any) -> bool:
    """Tell whether a stream is a still picture that belongs to a sound file."""
    return bool(stream.disposition & av.stream.Disposition.attached_pic)
