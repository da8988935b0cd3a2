"""Runs Pulumi's command line on the stack of an environment, and interrupts it together with this process."""

import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from keywright.engines.interface import StatementFailed
from keywright.errors import Unavailable
from keywright.ir.json import Json
from keywright.record import Record

from .plain import POSITION
from .pulumi_errors import Output, in_preview, in_update, is_locked, locked, unavailable

STREAMING = "PULUMI_ENABLE_STREAMING_JSON_PREVIEW"
"""Variable that makes `preview --json` write one event per line."""

PATIENCE_SECONDS = 0.5
"""Interval of the checks that the lock of the store is still held, while the child runs."""


class Child(Record):
    """Runs `pulumi` for one stack, with the user's own environment."""

    root: Path
    """Folder of the project."""
    stack: str
    """Name of the stack, which is the name of the environment."""
    notify: Callable[[str], None] = lambda line: None
    """Receives each line of an update as it is written."""

    def ready(self) -> None:
        """Raise Unavailable if Pulumi or the stack does not exist."""
        done = self._run(["stack"], "", lambda: None)
        if done.code:
            raise unavailable(done, self.stack)

    def preview(self, position: str, check: Callable[[], None], *, is_refreshed: bool = True) -> str:
        """Preview of an update to a position, as JSON.

        check: raises to stop it. is_refreshed: whether it starts from the live state instead of the stack's state.
        Raises StatementFailed if the program fails, Unavailable if it could not be run.
        """
        refresh = ["--refresh"] if is_refreshed else []
        done = self._run(["preview", "--json", *refresh], position, check)
        text = done.out[done.out.find("{") :] if "{" in done.out else ""
        if done.code and not text:
            raise unavailable(done, self.stack)
        if done.code:
            raise StatementFailed(f"`pulumi preview` failed: {in_preview(text) or in_update(done)}")
        return text

    def up(self, position: str, check: Callable[[], None]) -> None:
        """Update the stack to a position, from the live state. Raises as `preview`, and Blocked if it is locked."""
        self._change(["up", "--yes", "--skip-preview", "--refresh"], position, check)

    def import_resources(self, document: Json, check: Callable[[], None]) -> None:
        """Import existing resources, by a document of `import_file`. Raises as `up` does."""
        with NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            json.dump(document, file)
            file.flush()
            options = ["--file", file.name, "--protect=false", "--generate-code=false"]  # the next update protects them
            self._change(["import", "--yes", "--skip-preview", *options], "", check)

    def unprotect(self, urns: Iterable[str], check: Callable[[], None]) -> None:
        """Remove the protection of resources in the stack's state, so that updates can forget them. Raises as `up`."""
        for urn in urns:
            self._change(["state", "unprotect", urn, "--yes"], "", check)

    def _change(self, arguments: list[str], position: str, check: Callable[[], None]) -> None:
        done = self._run(arguments, position, check, self.notify)
        if done.code and is_locked(done):
            raise locked(done, self.stack)
        if done.code:
            raise StatementFailed(f"`pulumi {arguments[0]}` failed: {in_update(done)}")

    def _run(
        self, arguments: list[str], position: str, check: Callable[[], None], tell: Callable[[str], None] | None = None
    ) -> Output:
        """Run a command to its end. An interruption of this process, or an exception of `check`, interrupts the command
        and waits for its end.
        """
        program = shutil.which("pulumi")
        if program is None:
            raise Unavailable(
                f'"pulumi" is not on PATH, and a stack owns the tables of "{self.stack}"',
                "install it (pulumi.com/docs/install), or write managed-by: keywright in the stack file",
            )
        variables = {
            "KEYWRIGHT_PROJECT": str(self.root),
            STREAMING: "false",
            **({POSITION: position} if position else {}),
        }
        command = [program, *arguments, "--stack", self.stack, "--non-interactive", "--color", "never"]
        children: list[subprocess.Popen[str]] = []
        streams: list[_Stream] = []
        try:
            with _held_interrupt():  # a child that nobody knows would go on by itself
                child = subprocess.Popen(
                    command, cwd=self.root, env={**os.environ, **variables}, stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace", process_group=0,
                )  # fmt: skip
                children.append(child)
                streams += (_Stream(stream, tell) for stream in (child.stdout, child.stderr) if stream)
            _await(child, check)
        except BaseException:
            for child in children:
                _interrupt(child)
            raise
        finally:
            outputs = [stream.read() for stream in streams]
        return Output(child.returncode, outputs[0], outputs[1])


class _Stream:
    """Output of a child, read as it is written."""

    def __init__(self, stream: IO[str], tell: Callable[[str], None] | None) -> None:
        self._lines: list[str] = []
        self._thread = threading.Thread(target=self._read, args=(stream, tell), daemon=True)
        self._thread.start()

    def _read(self, stream: IO[str], tell: Callable[[str], None] | None) -> None:
        with stream:
            for line in stream:
                self._lines.append(line)
                if tell is not None:
                    tell(line.rstrip())

    def read(self) -> str:
        """All output once the child has ended, without waiting for grandchildren that outlive it."""
        self._thread.join(PATIENCE_SECONDS * 4)
        return "".join(self._lines)


@contextmanager
def _held_interrupt() -> Iterator[None]:
    """Hold back Ctrl-C until the end of the block; in other threads than the main one it does not arrive anyway."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, frame: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if handler is None else handler)  # None: set by other than Python
    if held:
        signal.raise_signal(signal.SIGINT)


def _await(child: "subprocess.Popen[str]", check: Callable[[], None]) -> None:
    while True:
        try:
            child.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            check()
        else:
            return


def _interrupt(child: "subprocess.Popen[str]") -> None:
    """Interrupt the child and wait for its orderly end; each further Ctrl-C is passed on too."""
    while child.poll() is None:
        try:
            child.send_signal(signal.SIGINT)
            child.wait()
        except KeyboardInterrupt:
            continue
