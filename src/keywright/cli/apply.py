"""`keywright apply`: create what is missing, then prove that it is there."""

import time

import click

from keywright import api
from keywright.api.live import Applied, apply_local, instance_of, local_instances
from keywright.engines.compare import Difference
from keywright.errors import UsageError
from keywright.history.runner import Done
from keywright.ir.json import Json, shortened
from keywright.report.document import document

from .options import Command, Common, formats
from .say import counted, note, say, table

DIFFERS = 1
CONFLICT = 5


@click.command(cls=Command)
@click.option("--local", "is_local", is_flag=True, help="On the servers of `keywright local`.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, format_: str) -> int:
    """Create what is missing straight from the models, then read it back and compare.

    Nothing that is there is changed or dropped: an object that differs is reported, and the command exits 5.
    Running it again does nothing.

    \b
    keywright local up && keywright apply --local
    """
    if not is_local:
        help = "environments are changed by `pulumi up` and by versioned migrations"
        raise UsageError("apply works on local servers only: add --local", help)
    project = api.load(common.project)
    compiled = api.compile(project, common.env)
    started = time.monotonic()

    def tell(target: api.Placed, done: Done) -> None:
        if format_ == "text" and (common.verbosity > 0 or (common.verbosity == 0 and done.outcome != "kept")):
            colour = {"made": "green", "kept": None, "conflict": "red"}[done.outcome]
            note(f"  {click.style(done.outcome, fg=colour):9} {target.store}: {done.step.summary}")

    applied = apply_local(project, compiled, tell=tell)
    reached = {instance_of(one.target) for one in applied}
    skipped = [str(one) for one in local_instances(compiled) if one not in reached]
    if format_ == "json":
        say(_document(applied, skipped), nl=False)
    else:
        _say(common, applied, skipped, time.monotonic() - started)
    if any(one.has_conflict for one in applied):
        return CONFLICT
    return DIFFERS if any(one.differences for one in applied) else 0


def _say(common: Common, applied: list[Applied], skipped: list[str], seconds: float) -> None:
    if common.verbosity >= 0:
        rows = [(one.target.store, one.target.placed.name, *_counts(one), _verdict(one)) for one in applied]
        for line in table([("store", "name", "made", "kept", "live store"), *rows], indent=""):
            say(line)
        for name in skipped:
            note(f"skipped {name}: no server runs; `keywright local status` says why")
    for one in applied:
        for done in one.done:
            if done.outcome == "conflict":
                note(f"conflict: {one.target.store}: could not {done.step.summary}: something else is there")
        for difference in one.differences:
            note(f"differs: {one.target.store} {_path(one, difference)}: {_both(difference)}")
    if common.verbosity >= 0:
        say(f"{counted(len(applied), 'target')} in {seconds:.1f} s")
    if any(one.has_conflict for one in applied):
        note("help: what is there was left as it is; remove or rename it, or change the model to match it")


def _counts(one: Applied) -> tuple[str, str]:
    outcomes = [done.outcome for done in one.done]
    return str(outcomes.count("made")), str(outcomes.count("kept"))


def _verdict(one: Applied) -> str:
    if one.has_conflict:
        return click.style("conflict", fg="red")
    return click.style("differs", fg="red") if one.differences else click.style("equals the models", fg="green")


def _path(one: Applied, difference: Difference) -> str:
    return ".".join((one.target.placed.name, *difference.path))


def _both(difference: Difference) -> str:
    return f"wanted {shortened(difference.wanted)}, found {shortened(difference.found)}"


def _document(applied: list[Applied], skipped: list[str]) -> str:
    targets: list[Json] = [
        {
            "store": one.target.store,
            "name": one.target.placed.name,
            "steps": [
                {"summary": done.step.summary, "outcome": done.outcome, "seconds": round(done.seconds, 3)}
                for done in one.done
            ],
            "differences": [
                {"path": list(found.path), "wanted": found.wanted, "found": found.found} for found in one.differences
            ],
        }
        for one in applied
    ]
    missing: list[Json] = list(skipped)
    return document("apply/1", {"targets": targets, "skipped": missing})
