"""Small video files of every kind, for tests."""

from fractions import Fraction

import av
import numpy as np

RATE = 25
WIDTH, HEIGHT = 96, 64
# Far apart in brightness and in colour.
COLOURS = ((30, 30, 140), (220, 220, 60), (40, 160, 60), (200, 40, 40), (240, 240, 240))


def pictures(n_frames=50, n_shots=2, width=WIDTH, height=HEIGHT):
    """Frames of shots of equal length, each of one colour with a bar that moves."""
    result = []
    for index in range(n_frames):
        picture = np.empty((height, width, 3), np.uint8)
        picture[:] = COLOURS[index * n_shots // n_frames]
        at = index % max(width - 8, 1)
        picture[:, at : at + 4] = 128
        result.append(picture)
    return result


def encode(
    path,
    frames,
    *,
    codec="libx264",
    pixel_format="yuv420p",
    rate=RATE,
    times=None,
    rotation=0,
    container=None,
    container_options=None,
    options=None,
    n_audio=0,
    picture_format="rgb24",
):
    """Write frames to a file; `times` are in thousandths of a second."""
    options = {"g": "12"} if options is None else options
    with av.open(str(path), "w", format=container, container_options=container_options) as file:
        stream = file.add_stream(codec, rate=rate, options=options)
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt = pixel_format
        if times is not None:
            stream.codec_context.time_base = Fraction(1, 1000)
        if rotation:
            stream.set_display_rotation(rotation)
        sound = file.add_stream("aac", rate=8000, layout="mono") if n_audio else None
        for index, picture in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(picture, format=picture_format)
            if times is not None:
                frame.pts, frame.time_base = times[index], Fraction(1, 1000)
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
        if sound is not None:
            for packet in _silence(sound, n_audio):
                file.mux(packet)
    return path


def encode_sound(path, *, cover=None):
    """Write a second of silence, with a still picture as its cover if one is given."""
    with av.open(str(path), "w") as file:
        sound = file.add_stream("aac" if cover is None else "flac", rate=8000, layout="mono")
        if cover is not None:
            art = file.add_stream("mjpeg", rate=1)
            art.height, art.width = cover.shape[:2]
            art.pix_fmt = "yuvj420p"
            art.disposition = av.stream.Disposition.attached_pic
            frame = av.VideoFrame.from_ndarray(cover, format="rgb24").reformat(format="yuvj420p")
            packets = [*art.encode(frame), *art.encode(None)]
            for packet in packets:
                file.mux(packet)
        for packet in _silence(sound, 8):
            file.mux(packet)
    return path


def _silence(stream, n_frames):
    for index in range(n_frames):
        samples = np.zeros((1, 1024), np.float32 if stream.codec_context.format.name == "fltp" else np.int16)
        frame = av.AudioFrame.from_ndarray(samples, format=stream.codec_context.format.name, layout="mono")
        frame.sample_rate, frame.pts = 8000, 1024 * index
        yield from stream.encode(frame)
    yield from stream.encode(None)
