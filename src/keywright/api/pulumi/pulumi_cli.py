"""Pulumi's command line at work on the stack of an environment: found, run, interrupted with us."""

import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from keywright.engines.interface import StatementFailed
from keywright.errors import Unavailable
from keywright.ir.json import Json

from .provided import POSITION
from .pulumi_words import Output, in_preview, in_update, is_locked, locked, unavailable

STREAMING = "PULUMI_ENABLE_STREAMING_JSON_PREVIEW"
"""By which `preview --json` would write one event a line."""

PATIENCE_SECONDS = 0.5
"""How often it is seen whether the lock of the store is still held, while the child works."""


@dataclass(frozen=True, slots=True)
class Child:
    """Runs `pulumi` for one stack, with the user's own environment."""

    root: Path
    """The project."""
    stack: str
    """The stack, which is called as the environment."""
    tell: Callable[[str], None] = lambda line: None
    """Told each line of an update, as it comes."""

    def ready(self) -> None:
        """Raise Unavailable where there is no Pulumi, or no such stack."""
        done = self._run(["stack"], "", lambda: None)
        if done.code:
            raise unavailable(done, self.stack)

    def preview(self, position: str, check: Callable[[], None], *, is_refreshed: bool = True) -> str:
        """What an update to a position would do, as JSON.

        check: raises to stop it. is_refreshed: whether it begins from what is there, not from what the stack remembers.
        Raises StatementFailed where the program fails, Unavailable where none could be run.
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
        """Update the stack to a position, from what is there. Raises as `preview` does, Blocked where it is locked."""
        self._change(["up", "--yes", "--skip-preview", "--refresh"], position, check)

    def take_in(self, document: Json, check: Callable[[], None]) -> None:
        """Import resources that are there, by a document of `import_file`. Raises as `up` does."""
        with NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            json.dump(document, file)
            file.flush()
            own = ["--file", file.name, "--protect=false", "--generate-code=false"]  # the next update protects them
            self._change(["import", "--yes", "--skip-preview", *own], "", check)

    def unprotect(self, urns: Iterable[str], check: Callable[[], None]) -> None:
        """Have the stack let go of resources, which no update then deletes: they outlive it. Raises as `up` does."""
        for urn in urns:
            self._change(["state", "unprotect", urn, "--yes"], "", check)

    def _change(self, arguments: list[str], position: str, check: Callable[[], None]) -> None:
        done = self._run(arguments, position, check, self.tell)
        if done.code and is_locked(done):
            raise locked(done, self.stack)
        if done.code:
            raise StatementFailed(f"`pulumi {arguments[0]}` failed: {in_update(done)}")

    def _run(
        self, arguments: list[str], position: str, check: Callable[[], None], tell: Callable[[str], None] | None = None
    ) -> Output:
        """Run a command to its end. An interruption of ours, or what `check` raises, interrupts it too, which it is
        given the time to follow.
        """
        program = shutil.which("pulumi")
        if program is None:
            raise Unavailable(
                f'"pulumi" is not on PATH, and a stack owns the tables of "{self.stack}"',
                "install it (pulumi.com/docs/install); or say managed-by: keywright in its stack file",
            )
        own = {"KEYWRIGHT_PROJECT": str(self.root), STREAMING: "false", **({POSITION: position} if position else {})}
        command = [program, *arguments, "--stack", self.stack, "--non-interactive", "--color", "never"]
        child = subprocess.Popen(
            command, cwd=self.root, env={**os.environ, **own}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, encoding="utf-8", errors="replace", process_group=0,
        )  # fmt: skip
        streams = [_Stream(stream, tell) for stream in (child.stdout, child.stderr) if stream]
        try:
            _await(child, check)
        except BaseException:
            _interrupt(child)
            raise
        finally:
            told = [stream.read() for stream in streams]
        return Output(child.returncode, told[0], told[1])


class _Stream:
    """What a child writes, read as it comes."""

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
        """All of it, once the child has ended; what a grandchild that outlives it may write is not waited for."""
        self._thread.join(PATIENCE_SECONDS * 4)
        return "".join(self._lines)


def _await(child: "subprocess.Popen[str]", check: Callable[[], None]) -> None:
    while True:
        try:
            child.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            check()
        else:
            return


def _interrupt(child: "subprocess.Popen[str]") -> None:
    """Have the child end in its own order; each further Ctrl-C is passed on too."""
    while child.poll() is None:
        try:
            child.send_signal(signal.SIGINT)
            child.wait()
        except KeyboardInterrupt:
            continue
