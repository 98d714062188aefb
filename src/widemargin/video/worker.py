"""The decoder process: reads requests from its input, one line of JSON each, and answers with messages.

It is started by `VideoReader` and of use to nobody else. It ends by itself when its input is closed, even while a
decoder hangs: so it never outlives its parent.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from queue import SimpleQueue
from typing import Any, BinaryIO

from widemargin.video.decoding import video_findings
from widemargin.video.errors import VideoError
from widemargin.video.messages import Failure, Ready, send
from widemargin.video.settings import ShotSettings

__all__ = ["main"]


def main() -> None:
    """Answer requests until the input ends.

    The only argument of the command line is the address space in bytes that this process may use.
    """
    # Interrupts reach all processes of a terminal; the parent decides what to do about them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit(int(sys.argv[1]))
    output = _claimed_output()
    requests: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()
    try:
        send(output, Ready())
        while True:
            _answer(json.loads(requests.get()), output)
    except BrokenPipeError:
        # The parent is gone. An ordinary exit would try to flush the pipe once more.
        os._exit(0)


def _answer(request: dict[str, Any], output: BinaryIO) -> None:
    """Decode one video."""
    settings = ShotSettings(**request["settings"])
    try:
        for finding in video_findings(request["path"], settings, n_threads=request["n_threads"]):
            send(output, finding)
    except BrokenPipeError:
        raise
    except VideoError as error:
        send(output, Failure(str(error), restart=False))
    except MemoryError:
        send(output, Failure("The decoder needed more memory than it may use.", restart=True))
    except Exception as error:
        send(output, Failure(f"The decoder failed ({type(error).__name__}: {error}).", restart=True))


def _listen(requests: SimpleQueue[bytes]) -> None:
    """Pass requests on, and end the process with the input."""
    for line in sys.stdin.buffer:
        requests.put(line)
    os._exit(0)


def _claimed_output() -> BinaryIO:
    """Return the standard output for messages alone, and send whatever else is printed nowhere."""
    output = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return output


def _limit(n_bytes: int) -> None:
    """Limit the memory of this process, and leave no core file behind, where the system can do so."""
    try:
        import resource
    except ImportError:
        return
    for kind, value in ((resource.RLIMIT_AS, n_bytes), (resource.RLIMIT_CORE, 0)):
        try:
            hard = resource.getrlimit(kind)[1]
            limit = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (limit, limit))
        except (OSError, ValueError):
            continue


if __name__ == "__main__":
    main()
