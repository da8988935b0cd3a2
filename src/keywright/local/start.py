"""Starts one server: provides its program, gives it an empty folder, and waits until an operation works."""

import shutil
import threading
import time
from dataclasses import replace
from pathlib import Path

from keywright.errors import Unavailable
from keywright.local import ports, process, record
from keywright.local.cache import Fetching
from keywright.local.cancel import Cancelled
from keywright.local.recipe import Driver, Found, Missing, Recipe
from keywright.local.record import Record

POLL_SECONDS = 0.05
LAST_LINES = 5
LINE_CHARACTERS = 300


def locate(recipe: Recipe, cache: Path) -> Found | Missing:
    """The program of an engine's server, without fetching anything."""
    if absent := _absent_extra(recipe):
        return absent
    located = recipe.locate(cache)
    return recipe.missing(located) if isinstance(located, Missing) else located


def provide(recipe: Recipe, fetching: Fetching) -> Found | Missing:
    """The program of an engine's server, fetched if need be."""
    if absent := _absent_extra(recipe):
        return absent
    located = recipe.locate(fetching.cache)
    if isinstance(located, Found):
        return located
    fetched = recipe.fetch(fetching)
    return recipe.missing(fetched) if isinstance(fetched, Missing) else fetched


def start(recipe: Recipe, name: str, found: Found, folder: Path, port: int, cancelled: threading.Event) -> Record:
    """Start a server with empty data and return when it is ready.

    folder: its own, for data, log and record.
    Raises Unavailable with the end of its log when it ends or takes too long, and Cancelled; both leave the process,
    if it still runs, to be ended by its record.
    """
    data, log = folder / "data", folder / "log"
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(parents=True)
    command = recipe.command(found, data, port)
    try:
        pid = process.spawn(command, data, log)
    except OSError as error:
        raise Unavailable(f'"{command[0]}" can\'t be run: {error.strerror}', f"it comes from {found.source}") from error
    # Written before anything else can fail: a server that nobody knows of can't be stopped.
    source = f"{found.source} ({found.location})"
    begun = Record(recipe.engine, name, pid, process.started_at(pid), port, source)
    record.write(folder, begun)
    driver = recipe.driver()
    _wait(recipe, driver, begun, log, cancelled)
    ready = replace(begun, version=found.version or driver.version(recipe.url(port)), is_ready=True)
    record.write(folder, ready)
    return ready


def _absent_extra(recipe: Recipe) -> Missing | None:
    """Why the server could not even be asked whether it is ready; a container would be of no use either."""
    try:
        recipe.driver()
    except Unavailable as absent:
        return Missing(absent.problem, absent.help)
    return None


def _wait(recipe: Recipe, driver: Driver, begun: Record, log: Path, cancelled: threading.Event) -> None:
    url = recipe.url(begun.port)
    deadline = time.monotonic() + recipe.ready_seconds
    # The open port comes first because it is cheap to ask for; a client library is not.
    while not (ports.is_open(begun.port) and driver.is_ready(url)):
        if time.monotonic() > deadline:
            raise _failure(f"was not ready after {recipe.ready_seconds:g} s", begun, log)
        _check_alive(begun, log)
        if ports.is_open(begun.port):
            recipe.prepare(url)
        if cancelled.wait(POLL_SECONDS):
            raise Cancelled
    _check_alive(begun, log)  # else it was another program's server that answered on this port


def _check_alive(begun: Record, log: Path) -> None:
    code = process.exit_code(begun.pid)
    if code is not None:
        raise _failure(f"ended with exit code {code} before it was ready", begun, log)


def _failure(what: str, begun: Record, log: Path) -> Unavailable:
    server = begun.engine if begun.name == begun.engine else f"{begun.engine}/{begun.name}"
    lines = [line.rstrip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    ending = "".join(f"\n  {line[:LINE_CHARACTERS]}" for line in lines[-LAST_LINES:]) or "\n  (nothing)"
    return Unavailable(f"{server} {what}; the end of its log:{ending}", f"the whole log is {log}")
