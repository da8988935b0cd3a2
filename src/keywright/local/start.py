"""Starts one server: locates or fetches its program, prepares an empty folder, and waits until it is ready."""

import shutil
import threading
import time
from pathlib import Path

from keywright.errors import Unavailable
from keywright.ir.text import exact
from keywright.local import ports, process, record
from keywright.local.event import Cancelled
from keywright.local.fetch.cache import Fetching
from keywright.local.recipes.recipe import Recipe, ServerProbe
from keywright.local.record import ServerRecord
from keywright.local.server_program import FoundServer, UnavailableServer
from keywright.record import replace

POLL_SECONDS = 0.05
LAST_LINES = 5
LINE_CHARACTERS = 300


def locate(recipe: Recipe, cache: Path) -> FoundServer | UnavailableServer:
    """The program of an engine's server, without fetching anything."""
    if absent := _absent_extra(recipe):
        return absent
    located = recipe.locate(cache)
    return recipe.missing(located) if isinstance(located, UnavailableServer) else located


def provide(recipe: Recipe, fetching: Fetching) -> FoundServer | UnavailableServer:
    """The program of an engine's server, fetched if necessary."""
    if absent := _absent_extra(recipe):
        return absent
    located = recipe.locate(fetching.cache)
    if isinstance(located, FoundServer):
        return located
    fetched = recipe.fetch(fetching)
    return recipe.missing(fetched) if isinstance(fetched, UnavailableServer) else fetched


def start(
    recipe: Recipe,
    name: str,
    server: FoundServer,
    folder: Path,
    port: int,
    cancelled: threading.Event,
    product: str = "",
) -> ServerRecord:
    """Start a server with empty data; returns when it is ready.

    folder: its own folder, for data, log and record. product: the product that was asked for, for the record.
    Raises Unavailable with the end of its log if it ends or takes too long, and Cancelled. In both cases the caller
    ends the process by its record.
    """
    data, log = folder / "data", folder / "log"
    shutil.rmtree(data, ignore_errors=True)
    for part in (folder.parent, folder, data):  # the folder of all servers or of an engine too
        part.mkdir(parents=True, exist_ok=True)
        part.chmod(0o700)
    command = recipe.command(server, data, port)
    try:
        pid = process.spawn(command, data, log)
    except OSError as error:
        raise Unavailable(
            f'"{command[0]}" cannot be run: {error.strerror}', f"it comes from {server.source}"
        ) from error
    # Written before anything else can fail, because only a recorded server can be stopped.
    source = f"{server.source} ({server.location})"
    started = ServerRecord(recipe.engine, name, pid, process.started_at(pid), port, source, product=product)
    record.write(folder, started)
    driver = recipe.driver()
    _wait(recipe, driver, started, log, cancelled)
    ready = replace(started, version=server.version or driver.version(recipe.url(port)), is_ready=True)
    record.write(folder, ready)
    return ready


def _absent_extra(recipe: Recipe) -> UnavailableServer | None:
    """The missing extra of the driver, without which neither a local server nor a container can be checked."""
    try:
        recipe.driver()
    except Unavailable as absent:
        return UnavailableServer(absent.problem, absent.help)
    return None


def _wait(recipe: Recipe, driver: ServerProbe, started: ServerRecord, log: Path, cancelled: threading.Event) -> None:
    url = recipe.url(started.port)
    deadline = time.monotonic() + recipe.ready_seconds
    # The port is checked first, because a check by the client library is slow.
    while not (ports.is_open(started.port) and driver.is_ready(url)):
        if time.monotonic() > deadline:
            raise _failure(f"was not ready after {exact(recipe.ready_seconds)} s", started, log)
        _check_alive(started, log)
        if ports.is_open(started.port):
            recipe.prepare(url)
        if cancelled.wait(POLL_SECONDS):
            raise Cancelled
    _check_alive(started, log)  # otherwise another program's server responded on this port


def _check_alive(started: ServerRecord, log: Path) -> None:
    code = process.exit_code(started.pid)
    if code is not None:
        raise _failure(f"ended with exit code {code} before it was ready", started, log)


def _failure(problem: str, started: ServerRecord, log: Path) -> Unavailable:
    server = started.engine if started.name == started.engine else f"{started.engine}/{started.name}"
    lines = [line.rstrip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    ending = "".join(f"\n  {line[:LINE_CHARACTERS]}" for line in lines[-LAST_LINES:]) or "\n  (nothing)"
    return Unavailable(f"{server} {problem}; the end of its log:{ending}", f"the whole log is {log}")
