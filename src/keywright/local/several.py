"""Starts several servers at once, one thread each, and stops all of them after an interruption."""

import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from keywright.errors import Unavailable
from keywright.local import process, record
from keywright.local.environment import cache_folder
from keywright.local.event import Phase, ServerEvent, Tell
from keywright.local.fetch.cache import Fetching
from keywright.local.instance import Running, WantedServer, folder_of, from_record
from keywright.local.ports import free_ports, is_open
from keywright.local.recipes.recipe import Recipe
from keywright.local.recipes.table import recipe_of
from keywright.local.server_program import FoundServer, UnavailableServer
from keywright.local.start import provide, start
from keywright.record import Record

Answer = Running | UnavailableServer | Unavailable
"""The result of starting one server; Unavailable is the error of a server that did not start."""


class _Work(Record):
    """Shared state of the threads of one start."""

    folder: Path
    tell: Tell
    cancelled: threading.Event
    products: Mapping[str, str]


def start_all(
    folder: Path, instances: Sequence[WantedServer], tell: Tell, products: Mapping[str, str]
) -> dict[WantedServer, Answer]:
    """Start all servers; each program is located or fetched once, for all servers that need it.

    products: the product of each engine's servers, if it is not the usual one.
    After Ctrl-C, or an error of all servers, none of them is left running.
    """
    work = _Work(folder, tell, threading.Event(), products)
    try:
        return _run(work, instances)
    except BaseException:
        for instance in instances:
            stop(folder_of(folder, instance), tell)
        raise


def stop(own: Path, tell: Tell) -> Running | None:
    """Stop the server of this folder; returns None if none is running."""
    started = time.monotonic()
    entry = record.read(own)
    if entry is None:
        record.remove(own)
        return None
    process.end(entry.pid, entry.started_at, recipe_of(entry.engine).stop_seconds)
    record.remove(own)  # before the event, because a listener can fail, such as a printer with a closed pipe
    tell(ServerEvent(entry.engine, entry.name, "stop", f"process {entry.pid}", time.monotonic() - started))
    return from_record(entry)


def _run(work: _Work, instances: Sequence[WantedServer]) -> dict[WantedServer, Answer]:
    engines = tuple(dict.fromkeys(instance.engine for instance in instances))
    ports = free_ports([recipe_of(instance.engine).ports for instance in instances])
    # With fewer threads, a start could wait for its own provider.
    with ThreadPoolExecutor(len(engines) + len(instances)) as pool:
        try:
            places = {engine: pool.submit(_provide, work, engine) for engine in engines}
            starts = {
                instance: pool.submit(_start, work, instance, places[instance.engine], port)
                for instance, port in zip(instances, ports, strict=True)
            }
            return {instance: future.result() for instance, future in starts.items()}
        except BaseException:
            work.cancelled.set()  # the end of the block waits for the threads
            raise


def _provide(work: _Work, engine: str) -> FoundServer | UnavailableServer:
    def notify(phase: Phase, text: str) -> None:
        work.tell(ServerEvent(engine, "", phase, text))

    recipe = recipe_of(engine).of(work.products.get(engine, ""))
    return provide(recipe, Fetching(cache_folder(), notify, work.cancelled))


def _start_text(recipe: Recipe, server: FoundServer, port: int) -> str:
    warning = recipe.exposed(server)
    return f"port {port}, from {server.source}" + (f"; {warning}" if warning else "")


def _start(
    work: _Work,
    instance: WantedServer,
    place: Future[FoundServer | UnavailableServer],
    port: int,
    *,
    is_last_try: bool = False,
) -> Answer:
    server, recipe = place.result(), recipe_of(instance.engine)
    if isinstance(server, UnavailableServer):
        work.tell(ServerEvent(instance.engine, instance.name, "skip", server.reason))
        return server
    own = folder_of(work.folder, instance)
    stop(own, work.tell)  # a server of a start that was killed
    work.tell(ServerEvent(instance.engine, instance.name, "start", _start_text(recipe, server, port)))
    started = time.monotonic()
    try:
        product = work.products.get(instance.engine, "")
        ready = from_record(start(recipe, instance.name, server, own, port, work.cancelled, product))
    except Unavailable as failure:
        stop(own, work.tell)
        # Its own process has ended: another program took an open port between the check and the start.
        is_taken = any(map(is_open, range(port, port + recipe.ports)))
        if is_last_try or not is_taken:
            return failure
        return _start(work, instance, place, free_ports([recipe.ports])[0], is_last_try=True)
    work.tell(
        ServerEvent(instance.engine, instance.name, "ready", f"version {ready.version}", time.monotonic() - started)
    )
    return ready
