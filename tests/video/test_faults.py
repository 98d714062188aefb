"""Files of every kind that break such tools: none crashes or hangs, and what can be decoded is."""

import os
import sys
import threading
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("av")

from video_files import COLOURS, HEIGHT, RATE, WIDTH, encode, encode_sound, pictures
from widemargin.video import ShotSettings, VideoError, VideoReader

SETTINGS = ShotSettings(n_extra_frames=4)


@pytest.fixture(scope="module")
def reader():
    with VideoReader(timeout=30.0) as reader:
        yield reader


@pytest.fixture(scope="module")
def intact(tmp_path_factory):
    """An intact file, as bytes, whose index comes first."""
    path = tmp_path_factory.mktemp("intact") / "intact.mp4"
    rng = np.random.default_rng(0)
    noise = [rng.integers(0, 256, (HEIGHT, WIDTH, 3)).astype(np.uint8) for _ in range(50)]
    encode(path, noise, options={"g": "10"}, container_options={"movflags": "+faststart"})
    return path.read_bytes()


def read(reader, path, settings=SETTINGS):
    key_frames = []
    summary = reader.read(path, settings, key_frames.append)
    check_consistent(summary, key_frames)
    return summary, key_frames


def check_consistent(summary, key_frames):
    shots = summary.shots
    assert len(shots) >= 1
    assert shots[0].start == 0.0
    assert shots[-1].end <= summary.duration
    assert all(before.end == after.start for before, after in pairwise(shots))
    assert all(shot.start <= shot.key_time <= shot.end and shot.n_frames >= 1 for shot in shots)
    assert [frame.shot for frame in key_frames] == [
        *range(len(shots)),
        *[None] * len(summary.extra_times),
    ]
    assert [frame.time for frame in key_frames[: len(shots)]] == [shot.key_time for shot in shots]
    assert tuple(frame.time for frame in key_frames[len(shots) :]) == summary.extra_times
    assert list(summary.extra_times) == sorted(summary.extra_times)
    assert bool(summary.problems) or summary.status == "ok"


def check_two_shots(summary, key_frames, *, tolerance=12):
    """The frames of `pictures` were found, at the right times and in the right colours."""
    assert summary.status == "ok"
    assert summary.problems == ()
    assert summary.n_frames == 50
    assert [(shot.start, shot.end, shot.n_frames) for shot in summary.shots] == [(0, 1, 25), (1, 2, 25)]
    for frame, colour in zip(key_frames[:2], COLOURS, strict=False):
        typical = np.median(frame.pixels, axis=(0, 1))
        np.testing.assert_allclose(typical, colour, atol=tolerance)


# A tolerance in levels of 255: colours at half the resolution in limited range, and the palette of GIF in steps of 36
# and 85.
@pytest.mark.parametrize(
    ("name", "options", "tolerance"),
    [
        ("plain.mp4", {}, 12),
        ("plain.avi", {"codec": "mpeg4", "options": {"qmin": "2", "qmax": "2"}}, 12),
        ("plain.ts", {}, 12),
        ("plain.webm", {"codec": "libvpx", "options": {}}, 12),
        ("one-key-frame.mp4", {"options": {"g": "1000"}}, 12),
        ("ten-bit.mp4", {"pixel_format": "yuv420p10le"}, 12),
        ("alpha.mkv", {"codec": "ffv1", "pixel_format": "yuva420p"}, 12),
        ("packed.mov", {"codec": "qtrle", "pixel_format": "argb"}, 12),
        ("planar-rgb.mkv", {"codec": "ffv1", "pixel_format": "gbrp10le"}, 12),
        ("quarter.mkv", {"codec": "ffv1", "pixel_format": "yuv411p"}, 12),
        ("animation.gif", {"codec": "gif", "pixel_format": "rgb8", "options": {}}, 50),
        ("sound-too.mp4", {"n_audio": 16}, 12),
    ],
)
def test_formats_give_the_same_shots(reader, tmp_path, name, options, tolerance):
    path = encode(tmp_path / name, pictures(), **options)
    check_two_shots(*read(reader, path), tolerance=tolerance)


@pytest.mark.parametrize("pixel_format", ["gray", "gray10le"])
def test_grey(reader, tmp_path, pixel_format):
    path = encode(tmp_path / "grey.mkv", pictures(), codec="ffv1", pixel_format=pixel_format)
    summary, key_frames = read(reader, path)
    assert [(shot.start, shot.end) for shot in summary.shots] == [(0, 1), (1, 2)]
    assert key_frames[0].pixels.std(axis=2).max() == 0


def test_odd_size_with_full_colours(reader, tmp_path):
    path = encode(tmp_path / "odd.mkv", pictures(width=97, height=63), pixel_format="yuv444p")
    summary, key_frames = read(reader, path)
    check_two_shots(summary, key_frames)
    assert (summary.width, summary.height) == (97, 63)
    assert key_frames[0].pixels.shape == (63, 97, 3)


def test_one_pixel(reader, tmp_path):
    frames = pictures(width=1, height=1)
    summary, key_frames = read(reader, encode(tmp_path / "1.mkv", frames, codec="ffv1", pixel_format="bgr0"))
    assert summary.n_frames == 50
    assert key_frames[0].pixels.shape == (1, 1, 3)


def test_one_frame(reader, tmp_path):
    summary, key_frames = read(reader, encode(tmp_path / "one.mp4", pictures()[:1]))
    assert summary.n_frames == 1
    assert len(summary.shots) == 1
    assert summary.duration == pytest.approx(1 / RATE)
    assert summary.extra_times == (0.0,)
    assert len(key_frames) == 2


def test_no_timestamps_and_no_frame_count(reader, tmp_path):
    path = encode(tmp_path / "raw.h264", pictures(), container="h264")
    check_two_shots(*read(reader, path))


def test_timestamps_are_the_only_clock(reader, tmp_path):
    times = [*range(0, 600, 24), *range(600, 3000, 96)]
    path = encode(tmp_path / "variable.mkv", pictures(), times=times)
    summary, _ = read(reader, path)
    assert [(shot.start, shot.n_frames) for shot in summary.shots] == [(0.0, 25), (0.6, 25)]
    # How long the last frame stays is not in the file.
    assert summary.duration == pytest.approx(3.0, abs=0.1)


def test_a_start_at_100_seconds(reader, tmp_path):
    path = encode(tmp_path / "late.mkv", pictures(), times=range(100_000, 102_000, 40))
    summary, key_frames = read(reader, path)
    check_two_shots(summary, key_frames)
    assert summary.start_time == 100.0


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_rotation_is_applied(reader, tmp_path, rotation):
    frame = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    frame[: HEIGHT // 2, : WIDTH // 2] = 255
    path = encode(tmp_path / "turned.mp4", [frame] * 10, rotation=rotation)
    summary, key_frames = read(reader, path)
    upright = np.rot90(frame, rotation // 90)
    assert summary.rotation == rotation
    assert (summary.height, summary.width) == upright.shape[:2] == key_frames[0].pixels.shape[:2]
    # Compression blurs the edges alone.
    assert np.abs(key_frames[0].pixels.astype(int) - upright).mean() < 8


def test_resolution_changes_in_mid_stream(reader, tmp_path):
    parts = []
    for index, (width, height) in enumerate([(96, 64), (48, 80)]):
        frames = [np.full((height, width, 3), COLOURS[index], np.uint8)] * 25
        parts.append(encode(tmp_path / f"{index}.h264", frames, container="h264").read_bytes())
    path = tmp_path / "changing.h264"
    path.write_bytes(b"".join(parts))
    summary, key_frames = read(reader, path)
    check_two_shots(summary, key_frames)
    assert (summary.width, summary.height) == (96, 64)
    assert [frame.pixels.shape for frame in key_frames[:2]] == [(64, 96, 3), (80, 48, 3)]


def test_the_clock_starts_anew(reader, tmp_path):
    once = encode(tmp_path / "once.ts", pictures(n_frames=100, n_shots=1)).read_bytes()
    path = tmp_path / "twice.ts"
    path.write_bytes(once + once)
    summary, _ = read(reader, path)
    assert summary.status == "ok"
    assert "clock anew at 1 place;" in summary.problems[0]
    assert summary.n_frames == 200
    assert summary.duration == pytest.approx(8.0)


def test_sound_that_begins_in_mid_file(reader, tmp_path):
    silent = encode(tmp_path / "silent.ts", pictures(n_frames=100, n_shots=1)).read_bytes()
    loud = encode(tmp_path / "loud.ts", pictures(n_frames=100, n_shots=1), n_audio=30).read_bytes()
    path = tmp_path / "joined.ts"
    path.write_bytes(silent + loud)
    summary, _ = read(reader, path)
    assert summary.status == "ok"
    assert summary.n_frames == 200


def test_sound_that_is_longer_where_only_the_length_of_the_whole_is_known(reader, tmp_path):
    options = {"codec": "mpeg4", "options": {"qmin": "2", "qmax": "2"}, "n_audio": 60}
    path = encode(tmp_path / "long-sound.asf", pictures(), **options)
    check_two_shots(*read(reader, path))


def test_truncated_file_with_sound_is_partial(reader, tmp_path):
    path = encode(tmp_path / "loud.mkv", pictures(), codec="ffv1", options={}, n_audio=16)
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    summary, _ = read(reader, cut)
    assert summary.status == "partial"
    assert any("before the end that it claims" in problem for problem in summary.problems)


def test_truncated_file_is_partial(reader, tmp_path, intact):
    path = tmp_path / "truncated.mp4"
    path.write_bytes(intact[: int(0.6 * len(intact))])
    summary, _ = read(reader, path)
    assert summary.status == "partial"
    assert 20 <= summary.n_frames <= 35
    assert any("before the end that it claims" in problem for problem in summary.problems)


def test_truncated_in_the_first_frame(reader, tmp_path, intact):
    path = tmp_path / "truncated.mp4"
    path.write_bytes(intact[: intact.index(b"mdat") + 200])
    with pytest.raises(VideoError, match="None of its frames can be decoded"):
        read(reader, path)


def test_corrupt_middle_is_partial(reader, tmp_path, intact):
    data = bytearray(intact)
    middle = slice(int(0.4 * len(data)), int(0.6 * len(data)))
    data[middle] = np.random.default_rng(1).bytes(middle.stop - middle.start)
    path = tmp_path / "corrupt.mp4"
    path.write_bytes(data)
    summary, _ = read(reader, path)
    assert summary.status == "partial"
    assert any("could not be decoded" in problem for problem in summary.problems)
    assert 20 <= summary.n_frames <= 50
    assert summary.duration == pytest.approx(2.0)


def test_index_missing_at_the_end(reader, tmp_path):
    data = encode(tmp_path / "whole.mp4", pictures()).read_bytes()
    path = tmp_path / "cut.mp4"
    path.write_bytes(data[: data.index(b"moov") - 4])
    with pytest.raises(VideoError, match="its start is missing or damaged"):
        read(reader, path)


@pytest.mark.parametrize("seed", range(3))
def test_random_bytes(reader, tmp_path, seed):
    path = tmp_path / "random.mp4"
    path.write_bytes(np.random.default_rng(seed).bytes(20_000))
    with pytest.raises(VideoError):
        read(reader, path)


@pytest.mark.parametrize("seed", range(30))
def test_damaged_anywhere(reader, tmp_path, intact, seed):
    rng = np.random.default_rng(seed)
    data = np.frombuffer(intact, np.uint8).copy()
    data[rng.integers(0, len(data), 30)] = rng.integers(0, 256, 30)
    path = tmp_path / "damaged.mp4"
    path.write_bytes(data.tobytes())
    try:
        summary, _ = read(reader, path)
    except VideoError:
        # The index is gone; `read` has checked everything else.
        return
    assert 1 <= summary.n_frames <= 50


def test_sound_alone(reader, tmp_path):
    with pytest.raises(VideoError, match="no video, only sound"):
        read(reader, encode_sound(tmp_path / "sound.m4a"))


@pytest.mark.parametrize("name", ["cover.flac", "cover.mp4"])
def test_cover_art_is_no_video(reader, tmp_path, name):
    path = encode_sound(tmp_path / name, cover=pictures()[0])
    with pytest.raises(VideoError, match="only cover art"):
        read(reader, path)


def test_empty_file(reader, tmp_path):
    path = tmp_path / "empty.mp4"
    path.touch()
    with pytest.raises(VideoError, match="empty"):
        read(reader, path)


def test_missing_file_and_folder(reader, tmp_path):
    with pytest.raises(VideoError, match="no such file"):
        read(reader, tmp_path / "missing.mp4")
    with pytest.raises(VideoError, match="folder"):
        read(reader, tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="needs named pipes")
def test_pipe_is_not_waited_for(reader, tmp_path):
    path = tmp_path / "pipe.mp4"
    os.mkfifo(path)
    with pytest.raises(VideoError, match="no ordinary file"):
        read(reader, path)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize(
    "name", [b"two\nlines.mp4", b"\xff\xfe.mp4", b"concat:a|b.mp4", b"%03d.mp4", b"-i.mp4"]
)
def test_names_are_only_names(reader, tmp_path, name):
    source = encode(tmp_path / "source.mp4", pictures())
    path = os.path.join(os.fsencode(tmp_path), name)
    os.rename(source, path)
    check_two_shots(*read(reader, os.fsdecode(path)))


def test_null_byte_in_name(reader):
    with pytest.raises(VideoError, match="cannot be opened"):
        read(reader, "a\0b.mp4")


@pytest.mark.parametrize(
    "name",
    ["http://127.0.0.1:{port}/a.mp4", "concat:{file}", "file:{file}", "pipe:0", "data:video/mp4;base64,AAAA"],
)
def test_addresses_are_only_names(reader, tmp_path, name):
    file = encode(tmp_path / "source.mp4", pictures())
    with pytest.raises(VideoError, match="no such file"):
        read(reader, name.format(file=file, port=9))


@pytest.mark.parametrize(
    "text",
    [
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n{file}\n#EXT-X-ENDLIST\n",
        "ffconcat version 1.0\nfile '{file}'\n",
        "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\n"
        "m=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n",
        '<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet>'
        '<Representation id="0" mimeType="video/mp4"><BaseURL>{file}</BaseURL></Representation>'
        "</AdaptationSet></Period></MPD>",
        "An ordinary letter.\n" * 100,
    ],
    ids=["playlist", "concat", "session", "manifest", "letter"],
)
@pytest.mark.parametrize("suffix", ["mp4", "m3u8", "txt"])
def test_texts_that_name_other_files_are_refused(reader, tmp_path, text, suffix):
    file = encode(tmp_path / "source.mp4", pictures())
    path = tmp_path / f"list.{suffix}"
    path.write_text(text.format(file=file))
    with pytest.raises(VideoError, match="no video of a format that is read"):
        read(reader, path)


def test_frames_that_are_too_large(reader, tmp_path):
    path = encode(tmp_path / "large.mp4", pictures())
    with pytest.raises(VideoError, match=rf"96 x 64 .*max_pixels={96 * 64}\)"):
        read(reader, path, ShotSettings(max_pixels=96 * 64 - 1))
    check_two_shots(*read(reader, path, ShotSettings(max_pixels=96 * 64, n_extra_frames=4)))


def test_frames_that_become_too_large(reader, tmp_path):
    parts = []
    for index, (width, height) in enumerate([(48, 64), (96, 80)]):
        frames = [np.full((height, width, 3), COLOURS[index], np.uint8)] * 25
        parts.append(encode(tmp_path / f"{index}.h264", frames, container="h264").read_bytes())
    path = tmp_path / "growing.h264"
    path.write_bytes(b"".join(parts))
    summary, _ = read(reader, path, ShotSettings(max_pixels=4000))
    assert summary.status == "partial"
    assert summary.n_frames == 25
    assert "25 frames of more than max_pixels = 4000" in summary.problems[0]


def test_a_file_that_grows_while_it_is_read(reader, tmp_path, intact):
    path = tmp_path / "growing.mp4"
    path.write_bytes(intact[: len(intact) // 2])
    writer = threading.Thread(target=path.write_bytes, args=(intact,))
    writer.start()
    try:
        summary, _ = read(reader, path)
    except VideoError:
        summary = None
    writer.join()
    again, _ = read(reader, path)
    assert again.n_frames == 50
    assert summary is None or summary.n_frames <= 50
