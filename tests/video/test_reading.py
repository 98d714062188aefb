"""The decoder process: it may hang, crash or lie, and serves many videos otherwise."""

import os
import signal
import struct
import subprocess
import sys
import time

import numpy as np
import pytest

pytest.importorskip("av")

from video_files import encode, pictures
from widemargin.video import KeyFrame, Shot, ShotSettings, VideoError, VideoReader
from widemargin.video.decoding import decode_video

# Behaves as the base name of the file that it is asked for says.
IMPOSTOR = """
import json, os, signal, sys, time
import numpy as np
from widemargin.video.findings import End, FirstFrame, Progress, ShotFound
from widemargin.video.messages import Failure, Ready, send
from widemargin.video.summary import Shot

out = sys.stdout.buffer
picture = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
first = FirstFrame(picture, 6, 4, 0, 0.0, "h264")
shot = ShotFound(Shot(0.0, 1.0, 0.5, 25), picture + 1)

def line(**fields):
    out.write(json.dumps(fields).encode() + b"\\n")
    out.flush()

send(out, Ready())
for request in sys.stdin.buffer:
    name = os.path.basename(json.loads(request)["path"])
    if name.startswith(("first", "shot", "ok", "slow")):
        send(out, first)
        send(out, Progress(0.4, 10, 3.0))
    if name.startswith(("shot", "ok")):
        send(out, shot)
        send(out, Progress(1.4, 35, 3.0))
    what = name.rpartition("-")[2]
    if what == "ok":
        send(out, End(True, (), 1.0, 25))
    elif what == "hang":
        time.sleep(60)
    elif what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif what == "exit":
        sys.exit(3)
    elif what == "garbage":
        out.write(b"\\x80\\x04K\\x01.\\n" * 20)
        out.flush()
    elif what == "huge":
        line(kind="KeyFrame", time=1.0, picture=[10**6, 10**6])
    elif what == "negative":
        line(kind="KeyFrame", time=1.0, picture=[-1, -4])
    elif what == "short":
        out.write(b'{"kind": "KeyFrame", "time": 1.0, "picture": [4, 6]}\\nabc')
        out.flush()
        os._exit(0)
    elif what == "nan":
        line(kind="Progress", done=float("nan"), n_frames=1, duration=None)
    elif what == "line":
        out.write(b"[" * 2**20)
        out.flush()
    elif what == "unknown":
        line(kind="System", command="true")
    elif what == "list":
        line(kind=["Ready"], picture=[1])
    elif what == "again":
        send(out, first)
        send(out, first)
    elif what == "early":
        send(out, End(True, (), 1.0, 25))
    elif what == "text":
        send(out, Failure("A\\x1b[31mred\\nline" + "x" * 1000, restart=False))
    elif what == "slow":
        for number in range(8):
            time.sleep(0.15)
            send(out, Progress(0.5, 12 + number, None))
        send(out, shot)
        send(out, End(True, (), 1.0, 25))
"""


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    script = tmp_path_factory.mktemp("impostor") / "impostor.py"
    script.write_text(IMPOSTOR)
    return (sys.executable, str(script))


@pytest.fixture(scope="module")
def impostor(command):
    """A reader that each test finds as the one before has left it."""
    with VideoReader(timeout=1.0, _command=command) as reader:
        yield reader


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    return encode(tmp_path_factory.mktemp("video") / "two-shots.mp4", pictures(n_frames=50))


def same(left, right):
    return left.shot == right.shot and left.time == right.time and np.array_equal(left.pixels, right.pixels)


@pytest.mark.parametrize("rule", ["centre", "random"])
def test_the_process_gives_what_decoding_in_place_gives(video, rule):
    settings = ShotSettings(key_frame=rule, n_extra_frames=10)
    here, there = [], []
    with VideoReader() as reader:
        summary = reader.read(video, settings, there.append)
    assert summary == decode_video(video, settings, here.append)
    assert len(here) == len(there) == 2 + 10
    assert all(map(same, here, there))


def test_defaults(video):
    with VideoReader() as reader:
        assert reader.read(video).n_frames == 50


def test_one_process_serves_many_videos(video, tmp_path):
    with VideoReader() as reader:
        reader.read(video)
        process = reader._process
        with pytest.raises(VideoError):
            reader.read(tmp_path / "missing.mp4")
        reader.read(video)
        assert reader._process is process
    assert process.returncode is not None


def test_progress(impostor):
    calls = []
    impostor.read("ok-ok", on_progress=lambda *call: calls.append(call))
    assert calls == [(0.4, 3.0), (1.4, 3.0)]


@pytest.mark.parametrize("how", ["hang", "crash", "exit", "garbage"])
def test_nothing_is_kept_of_a_video_without_a_frame(impostor, how):
    with pytest.raises(VideoError, match="The decoder"):
        impostor.read(f"none-{how}")


def test_after_a_fault_another_process_goes_on(impostor):
    impostor.read("ok-ok")
    process = impostor._process
    impostor.read("shot-crash")
    assert impostor.read("ok-ok").status == "ok"
    assert impostor._process is not process


def test_first_frame_stands_for_a_shot_that_never_ended(impostor):
    key_frames = []
    summary = impostor.read("first-hang", on_key_frame=key_frames.append)
    assert summary.status == "partial"
    assert "no sign of life for 1 s" in summary.problems[0]
    assert summary.shots == (Shot(0.0, 0.4, 0.0, 10),)
    assert (summary.duration, summary.n_frames) == (0.4, 10)
    assert (summary.width, summary.height, summary.codec) == (6, 4, "h264")
    picture = np.arange(72, dtype=np.uint8).reshape(4, 6, 3)
    assert len(key_frames) == 1
    assert same(key_frames[0], KeyFrame(0, 0.0, picture))


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("hang", "no sign of life"),
        ("crash", "crashed (SIGSEGV)"),
        ("exit", "exit code 3"),
        ("garbage", "no message"),
        ("huge", "no message"),
        ("negative", "no message"),
        ("short", "no message"),
        ("nan", "no message"),
        ("line", "no message"),
        ("unknown", "no message"),
        ("list", "no message"),
        ("again", "no message"),
    ],
)
def test_shots_before_a_fault_are_kept(impostor, how, reason):
    key_frames = []
    summary = impostor.read(f"shot-{how}", on_key_frame=key_frames.append)
    assert summary.status == "partial"
    assert reason in summary.problems[0]
    assert summary.shots == (Shot(0.0, 1.0, 0.5, 25),)
    assert (summary.duration, summary.n_frames) == (1.4, 35)
    assert [frame.shot for frame in key_frames] == [0]


def test_an_end_without_a_frame_is_refused(impostor):
    with pytest.raises(VideoError, match="no message"):
        impostor.read("none-early")


def test_text_from_the_process_is_safe_to_print(impostor):
    with pytest.raises(VideoError) as caught:
        impostor.read("none-text")
    assert str(caught.value).startswith("A [31mred line")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) == 400


def test_signs_of_life_put_the_timeout_off(impostor):
    # Takes 1.2 s in steps of 0.15 s.
    assert impostor.read("slow-slow").status == "ok"


def test_time_of_the_caller_is_no_silence(impostor):
    assert impostor.read("ok-ok", on_key_frame=lambda frame: time.sleep(1.2)).status == "ok"


def test_an_error_of_the_caller_ends_the_process(impostor):
    def fail(frame):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        impostor.read("ok-ok", on_key_frame=fail)
    assert impostor._process is None
    assert impostor.read("ok-ok").status == "ok"


def test_a_process_that_died_in_between_is_replaced(impostor):
    impostor.read("ok-ok")
    impostor._process.kill()
    impostor._process.wait()
    assert impostor.read("ok-ok").status == "ok"


def test_a_process_that_does_not_start():
    reader = VideoReader(_command=(sys.executable, "-c", "raise SystemExit(7)"))
    with pytest.raises(RuntimeError, match=r"does not start\. .*exit code 7"):
        reader.read("any")


def test_settings_are_checked():
    with pytest.raises(ValueError, match="timeout"):
        VideoReader(timeout=0)
    with pytest.raises(TypeError, match="n_threads"):
        VideoReader(n_threads=1.5)
    with pytest.raises(ValueError, match="memory_limit"):
        VideoReader(memory_limit=1000)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is the system's")
def test_memory_limit(tmp_path):
    # Forty bytes that stand for a picture of a gigabyte.
    side = 16_000
    bomb = tmp_path / "bomb.gif"
    bomb.write_bytes(
        b"GIF89a" + struct.pack("<HHBBB", side, side, 0x80, 0, 0) + bytes(6)
        + b"," + struct.pack("<HHHHB", 0, 0, side, side, 0) + b"\x02\x02\x44\x01\x00;"
    )  # fmt: skip
    settings = ShotSettings(max_pixels=side**2)
    with VideoReader(memory_limit=2**29) as reader, pytest.raises(VideoError, match="memory"):
        reader.read(bomb, settings)


def test_the_process_starts_without_scikit_learn():
    code = "import sys, widemargin.video.worker as w; sys.exit('sklearn' in sys.modules or 'scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


PARENT = """
import sys, time
from widemargin.video import VideoReader
reader = VideoReader()
reader.read(sys.argv[1])
print(reader._process.pid, flush=True)
reader.read(sys.argv[1], on_key_frame=lambda frame: time.sleep(60))
"""


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGINT])
def test_the_process_ends_with_its_parent(video, kind):
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(video)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    pid = int(parent.stdout.readline())
    assert is_running(pid)
    # As a terminal does with Ctrl-C, the interrupt goes to all processes of the group.
    (os.kill if kind == signal.SIGKILL else os.killpg)(parent.pid, kind)
    _, errors = parent.communicate(timeout=20)
    assert errors.count("Traceback") == (kind == signal.SIGINT)
    deadline = time.monotonic() + 10
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(pid)


def test_nothing_is_printed(video, tmp_path):
    damaged = tmp_path / "damaged.mp4"
    data = bytearray(video.read_bytes())
    data[len(data) // 3 : len(data) // 2] = np.random.default_rng(0).bytes(len(data) // 2 - len(data) // 3)
    damaged.write_bytes(data)
    code = (
        "import sys; from widemargin.video import *\n"
        "with VideoReader() as reader:\n"
        "    try: reader.read(sys.argv[1])\n"
        "    except VideoError: pass"
    )
    run = subprocess.run([sys.executable, "-c", code, str(damaged)], capture_output=True, check=True)
    assert run.stdout == run.stderr == b""
