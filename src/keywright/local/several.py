"""Starts several servers at once, one thread each, and takes all of them back when that is interrupted."""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from keywright.errors import Unavailable
from keywright.local import process, record
from keywright.local.cache import Fetching
from keywright.local.environment import cache_folder
from keywright.local.event import Event, Phase, Tell
from keywright.local.instance import Instance, Running, folder_of, from_record
from keywright.local.ports import free_ports, is_open
from keywright.local.recipe import Found, Missing
from keywright.local.recipes import recipe_of
from keywright.local.start import provide, start

Answer = Running | Missing | Unavailable
"""What came of starting one server; Unavailable is the error of one that was found but didn't start."""


@dataclass(frozen=True, slots=True)
class _Work:
    """What the threads of one start share."""

    folder: Path
    tell: Tell
    cancelled: threading.Event


def start_all(folder: Path, instances: Sequence[Instance], tell: Tell) -> dict[Instance, Answer]:
    """Start all of them; each program is provided once, however many servers need it.

    On Ctrl-C, and on an error that concerns all of them, none of them is left running.
    """
    work = _Work(folder, tell, threading.Event())
    try:
        return _run(work, instances)
    except BaseException:
        for instance in instances:
            stop(folder_of(folder, instance), tell)
        raise


def stop(own: Path, tell: Tell) -> Running | None:
    """Stop the server that runs in this folder; nothing when none does."""
    begun = time.monotonic()
    entry = record.read(own)
    if entry is None:
        record.remove(own)
        return None
    process.end(entry.pid, entry.started_at, recipe_of(entry.engine).stop_seconds)
    record.remove(own)  # before anything is told: a listener may fail, such as a printer whose pipe is closed
    tell(Event(entry.engine, entry.name, "stop", f"process {entry.pid}", time.monotonic() - begun))
    return from_record(entry)


def _run(work: _Work, instances: Sequence[Instance]) -> dict[Instance, Answer]:
    engines = tuple(dict.fromkeys(instance.engine for instance in instances))
    ports = free_ports([recipe_of(instance.engine).ports for instance in instances])
    with ThreadPoolExecutor(len(engines) + len(instances)) as pool:  # else a start could wait for its own provider
        try:
            places = {engine: pool.submit(_provide, work, engine) for engine in engines}
            starts = {
                instance: pool.submit(_start, work, instance, places[instance.engine], port)
                for instance, port in zip(instances, ports, strict=True)
            }
            return {instance: future.result() for instance, future in starts.items()}
        except BaseException:
            work.cancelled.set()  # leaving the block waits for the threads
            raise


def _provide(work: _Work, engine: str) -> Found | Missing:
    def told(phase: Phase, text: str) -> None:
        work.tell(Event(engine, "", phase, text))

    return provide(recipe_of(engine), Fetching(cache_folder(), told, work.cancelled))


def _start(
    work: _Work, instance: Instance, place: Future[Found | Missing], port: int, *, is_last_try: bool = False
) -> Answer:
    found, recipe = place.result(), recipe_of(instance.engine)
    if isinstance(found, Missing):
        work.tell(Event(instance.engine, instance.name, "skip", found.reason))
        return found
    own = folder_of(work.folder, instance)
    stop(own, work.tell)  # the rest of a start that was killed
    work.tell(Event(instance.engine, instance.name, "start", f"port {port}, from {found.source}"))
    begun = time.monotonic()
    try:
        ready = from_record(start(recipe, instance.name, found, own, port, work.cancelled))
    except Unavailable as failure:
        stop(own, work.tell)
        # Its own process has ended: an open port is another program's, which took it between the look and the start.
        is_taken = any(is_open(one) for one in range(port, port + recipe.ports))
        if is_last_try or not is_taken:
            return failure
        return _start(work, instance, place, free_ports([recipe.ports])[0], is_last_try=True)
    work.tell(Event(instance.engine, instance.name, "ready", f"version {ready.version}", time.monotonic() - begun))
    return ready
