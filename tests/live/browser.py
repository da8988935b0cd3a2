"""A real headless Chromium, spoken to over a pipe in its own protocol: pages are opened, asked and pictured."""

import base64
import fcntl
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip


def program() -> str | None:
    """The browser: KEYWRIGHT_CHROMIUM, else the first of its usual names on the path; None if there is none."""
    return os.environ.get("KEYWRIGHT_CHROMIUM") or next(
        (found for name in NAMES if (found := shutil.which(name))), None
    )


@contextmanager
def opened(executable: str, page: Path) -> "Iterator[Tab]":
    """A tab of a browser of its own that shows a page; the browser ends with the block."""
    read, their_write = os.pipe()
    their_read, write = os.pipe()
    # Above 3 and 4, the numbers that the browser knows its ends by.
    ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (their_read, their_write)]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            (executable, *QUIET, f"--user-data-dir={profile}", "about:blank"),
            pass_fds=(3, 4),
            preexec_fn=lambda: (os.dup2(ends[0], 3), os.dup2(ends[1], 4)),
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (their_read, their_write, *ends):
            os.close(end)
        try:
            yield Tab(read, write, page)
        finally:
            os.killpg(browser.pid, signal.SIGKILL)  # Debian's program is a script with the browser below it
            browser.wait()
            os.close(read)
            os.close(write)


class Tab:
    """One page in the browser."""

    def __init__(self, read: int, write: int, page: Path) -> None:
        self._read, self._write, self._rest, self._number, self._session = read, write, b"", 0, ""
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._send("Page.enable")
        self._send("Page.navigate", url=page.as_uri())
        self.ask("new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))")

    def shape(self, width: int, height: int, scheme: str) -> None:
        """Size of the window, and whether its user likes it light or dark."""
        self._send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self._send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression, waited for if it is a promise."""
        answer = self._send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def picture(self, file: Path) -> None:
        """The whole page as PNG."""
        result = self._send("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(result["data"]))

    def _send(self, method: str, **params: object) -> Any:
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = json.loads(self._message())
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def _message(self) -> bytes:
        while b"\0" not in self._rest:
            some = os.read(self._read, 1 << 16)
            assert some, "the browser has ended"
            self._rest += some
        message, _, self._rest = self._rest.partition(b"\0")
        return message
