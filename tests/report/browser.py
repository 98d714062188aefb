"""A headless Chromium to look at pages with, spoken to over two pipes."""

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import time

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--mute-audio",
    "--autoplay-policy=no-user-gesture-required",
    "--remote-debugging-pipe",
]
PATIENCE = 60.0


class Browser:
    """One tab: `open` a file, `run` expressions in it, and read what went wrong there from `complaints`."""

    def __init__(self, profile):
        commands, to_browser = _high_pipe()
        from_browser, answers = _high_pipe()
        quiet = os.open(os.devnull, os.O_RDWR)
        self.process = os.posix_spawn(
            CHROMIUM,
            [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            {**os.environ, "HOME": str(profile)},
            file_actions=[
                *((os.POSIX_SPAWN_DUP2, quiet, number) for number in range(3)),
                (os.POSIX_SPAWN_DUP2, commands, 3),
                (os.POSIX_SPAWN_DUP2, answers, 4),
            ],
            setpgroup=0,
        )
        for end in (commands, answers, quiet):
            os.close(end)
        self.pipes = to_browser, from_browser
        self.buffer, self.number, self.session = b"", 0, None
        self.complaints, self.events = [], []
        (tab,) = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        attached = self.call("Target.attachToTarget", targetId=tab["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        """Send a command, and return its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.pipes[0], json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while (answer := self._read(end)).get("id") != self.number:
            self._note(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def open(self, url, *, width=1200, height=900, dark=False):
        """Load a page at a width of pixels of the style sheet, and forget the complaints about the last one."""
        self.complaints.clear()
        self.events.clear()
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=scheme)
        size = {"width": width, "height": height}
        self.call("Emulation.setDeviceMetricsOverride", **size, deviceScaleFactor=1, mobile=width < 600)
        self.call("Page.navigate", url=url)
        end = time.monotonic() + PATIENCE
        while "Page.loadEventFired" not in self.events:
            self._note(self._read(end))

    def run(self, expression):
        """Return the value of an expression in the page, awaited if it is a promise."""
        result = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True
        )
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait_for(self, condition):
        """Wait until an expression is true in the page."""
        end = time.monotonic() + PATIENCE
        while not self.run(f"Boolean({condition})"):
            assert time.monotonic() < end, condition
            time.sleep(0.02)

    def press(self, key, code):
        """Press a key and let it go."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def screenshot(self, path, *, whole=False):
        """Keep a picture of the page."""
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def close(self):
        """End the browser and all that it started."""
        self.session = None
        with contextlib.suppress(OSError, AssertionError):
            self.call("Browser.close")
        for end in self.pipes:
            os.close(end)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)

    def _read(self, end):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.pipes[1]], [], [], max(end - time.monotonic(), 0))
            assert ready, "the browser does not answer"
            data = os.read(self.pipes[1], 2**20)
            assert data, "the browser has ended"
            self.buffer += data
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def _note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        self.events.append(method)
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in {"error", "assert"}:
            self.complaints.append(str(parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.complaints.append(parameters["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append(f"dialog: {parameters['message']}")


def _high_pipe():
    """Ends of a pipe above the numbers that the browser's own ends are moved to."""
    ends = os.pipe()
    moved = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return moved
