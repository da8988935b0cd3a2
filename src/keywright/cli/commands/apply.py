"""`keywright apply`: create missing objects, then verify them."""

import time

import click

from keywright import api
from keywright.api.live.local_servers import instance_of, local_instances
from keywright.api.local.apply import Applied, apply_local
from keywright.engines.contract.diff import ValueDifference
from keywright.errors import UsageError
from keywright.ir.json import Json, shortened
from keywright.migrations.run.runner import Done
from keywright.report.document import document

from ..options import Command, Common, formats
from ..output import counted, note, print_line, table

DIFFERS = 1
CONFLICT = 5


@click.command(cls=Command)
@click.option("--local", "is_local", is_flag=True, help="Use the servers of `keywright local`.")
@click.option(
    "--allow",
    "allowed",
    multiple=True,
    metavar="OBJECT",
    help="Accept the loss of items under a changed key or in a removed table, such as shop/Order/pk.",
)
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, allowed: tuple[str, ...], format_: str) -> int:
    """Create missing objects directly from the models, then read all objects back and compare them.

    Existing objects are never changed or dropped: an object that differs is reported, and the command exits 5.
    A second run changes nothing. The command rejects a changed key if items are stored under the former key (RB101),
    and the removal of a table or collection that contains items (BC101, DS102).

    \b
    keywright local up && keywright apply --local
    """
    if not is_local:
        help = "`pulumi up` and migrations change environments"
        raise UsageError("apply works only on local servers: add --local", help)
    project = api.load(common.project)
    compiled = api.compile(project, common.env)
    started = time.monotonic()

    def notify(target: api.Placed, done: Done) -> None:
        if format_ == "text" and (common.verbosity > 0 or (common.verbosity == 0 and done.outcome != "kept")):
            colour = {"made": "green", "kept": None, "conflict": "red"}[done.outcome]
            note(f"  {click.style(done.outcome, fg=colour):9} {target.store}: {done.statement.summary}")

    applied = apply_local(project, compiled, tell=notify, allowed=allowed)
    reached = {instance_of(result.target) for result in applied}
    skipped = [str(instance) for instance in local_instances(compiled) if instance not in reached]
    if format_ == "json":
        print_line(_document(applied, skipped), nl=False)
    else:
        _print_results(common, applied, skipped, time.monotonic() - started)
    if any(result.has_conflict for result in applied):
        return CONFLICT
    return DIFFERS if any(result.differences for result in applied) else 0


def _print_results(common: Common, applied: list[Applied], skipped: list[str], seconds: float) -> None:
    if common.verbosity >= 0:
        rows = [
            (result.target.store, result.target.placed.name, *_counts(result), _verdict(result)) for result in applied
        ]
        for line in table([("store", "name", "made", "kept", "live store"), *rows], indent=""):
            print_line(line)
        for name in skipped:
            note(f"skipped {name}: no server is running; `keywright local status` shows the reason")
    for result in applied:
        for done in result.done:
            if done.outcome == "conflict":
                problem = f"cannot {done.statement.summary}: it exists with a different definition"
                note(f"conflict: {result.target.store}: {problem}")
        for difference in result.differences:
            note(f"differs: {result.target.store} {_path(result, difference)}: {_values(difference)}")
    if common.verbosity >= 0:
        print_line(f"{counted(len(applied), 'target')} in {seconds:.1f} s")
    if any(result.has_conflict for result in applied):
        note("help: the existing object was not changed; remove or rename it, or change the model to match it")


def _counts(applied: Applied) -> tuple[str, str]:
    outcomes = [done.outcome for done in applied.done]
    return str(outcomes.count("made")), str(outcomes.count("kept"))


def _verdict(applied: Applied) -> str:
    if applied.has_conflict:
        return click.style("conflict", fg="red")
    return click.style("differs", fg="red") if applied.differences else click.style("equals the models", fg="green")


def _path(applied: Applied, difference: ValueDifference) -> str:
    return ".".join((applied.target.placed.name, *difference.path))


def _values(difference: ValueDifference) -> str:
    return f"expected {shortened(difference.expected)}, found {shortened(difference.actual)}"


def _document(applied: list[Applied], skipped: list[str]) -> str:
    targets: list[Json] = [
        {
            "store": result.target.store,
            "name": result.target.placed.name,
            "steps": [
                {"summary": done.statement.summary, "outcome": done.outcome, "seconds": round(done.seconds, 3)}
                for done in result.done
            ],
            "differences": [
                {"path": list(difference.path), "wanted": difference.expected, "found": difference.actual}
                for difference in result.differences
            ],
        }
        for result in applied
    ]
    missing: list[Json] = list(skipped)
    return document("apply/1", {"targets": targets, "skipped": missing})
