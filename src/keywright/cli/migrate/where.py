"""The options by which a command is told which stores are meant, and how it tells what happens there."""

from collections.abc import Callable
from typing import Any

import click

from keywright.api.locked import Watcher
from keywright.api.sites import Where
from keywright.cli.options import Common
from keywright.cli.say import note, progress
from keywright.engines.compare import Difference
from keywright.engines.plan import Step
from keywright.errors import UsageError
from keywright.history.backfill import Progress
from keywright.history.checking import Checked, indexed
from keywright.history.execute import Event
from keywright.history.version import Stage, Version
from keywright.history.watch import Waiting
from keywright.ir.json import Json, shortened
from keywright.local import Event as Starting
from keywright.project.settings import read_settings


def local(function: Callable[..., Any]) -> Callable[..., Any]:
    """The option `--local`."""
    return click.option("--local", "is_local", is_flag=True, help="On the servers of `keywright local`.")(function)


def where(common: Common, is_local: bool) -> Where:
    """The stores that are meant: UsageError if neither --local nor an environment was named."""
    settings = read_settings(common.project)
    if not is_local and common.env is None:
        raise UsageError("say which stores: add --local, or --env ENV", "an environment is never guessed")
    return Where(settings, common.env or settings.default_environment, is_local)


def on_own_servers(common: Common) -> Where:
    """The stores of the environment on servers that are started for the command alone."""
    settings = read_settings(common.project)
    return Where(settings, common.env or settings.default_environment, is_local=True)


def starting(event: Starting) -> None:
    """Tells of servers that are started."""
    progress(f"{event.engine} {event.name}: {event.phase} {event.text}")


def watcher(common: Common) -> Watcher:
    """Tells each stage and step on stderr."""

    def event(one: Event) -> None:
        if common.verbosity < 0:
            return
        name = f"{one.version.number}/{one.stage.n or 'all'}" if one.version and one.stage else "settings"
        if one.what == "step" and one.done is not None:
            if one.done.outcome == "kept" and common.verbosity < 1:
                return
            colour = {"made": "green", "kept": None, "conflict": "red"}[one.done.outcome]
            outcome = "there already" if one.done.outcome == "kept" else one.done.outcome
            note(f"{name:8} {one.done.step.store}: {one.done.step.summary}  {click.style(outcome, fg=colour)}")
        elif one.what == "acknowledged":
            note(f"{name:8} {click.style('acknowledged', fg='green')}")

    def waiting(one: Waiting) -> None:
        progress(f'{one.place}: "{one.owner}" holds the lock since {one.held_seconds:.0f} s')

    def backfill(version: Version, stage: Stage, one: Progress) -> None:
        left = "" if one.seconds_left is None else f", {one.seconds_left:.0f} s left"
        name = f"{version.number}/{stage.n}"
        progress(f"{name:8} {one.counts.read} read, {one.counts.written} written, {one.per_second:.0f}/s{left}")

    def check(version: Version, stage: Stage, one: Checked) -> None:
        name = f"{version.number}/{stage.n}"
        line = f'{name:8} {one.read} read, {one.unfit} do not fit index "{indexed(stage)[1]}"'
        progress("" if one.is_over else line)
        if one.is_over and common.verbosity >= 0:
            note(line)

    def child(line: str) -> None:
        if common.verbosity >= 0 and line:
            note(f"pulumi   {line}")

    return Watcher(event, waiting, backfill, check, child)


def differing(store: str, name: str, one: Difference) -> str:
    """A difference as a line."""
    place = ".".join((name, *one.path))
    return f"{store} {place}: wanted {shortened(one.wanted)}, found {shortened(one.found)}"


def difference_json(store: str, name: str, one: Difference) -> Json:
    """A difference as a value of a document."""
    return {"store": store, "name": name, "path": list(one.path), "wanted": one.wanted, "found": one.found}


def step_json(step: Step) -> Json:
    """A native step as a value of a document."""
    return {"store": step.store, "summary": step.summary, "statement": step.statement}
