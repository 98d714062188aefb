"""Let the signal that ends a process end a run as Ctrl-C does: with a report of what is finished."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

__all__ = ["Termination", "terminated_like_interrupted"]

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM


@dataclass
class Termination:
    """Which signal ended a run.

    Parameters
    ----------
    received : bool, default=False
        Whether it was SIGTERM.
    """

    received: bool = False

    @property
    def exit_code(self) -> int:
        """The exit code of an interrupted run, as shells have it: 143 after SIGTERM, 130 after Ctrl-C."""
        return TERMINATED if self.received else INTERRUPTED


@contextmanager
def terminated_like_interrupted() -> Generator[Termination, None, None]:
    """Raise `KeyboardInterrupt` on SIGTERM, as on Ctrl-C, as long as the context lasts.

    Outside of the main thread, where Python does not let signals be handled, it does nothing.

    Yields
    ------
    Termination
        Knows afterwards whether SIGTERM came.
    """
    termination = Termination()
    if threading.current_thread() is not threading.main_thread():
        yield termination
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        termination.received = True
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield termination
    finally:
        signal.signal(signal.SIGTERM, before)
