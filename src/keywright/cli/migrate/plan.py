"""`keywright migrate plan`: what apply would do."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import click

from keywright.api.estimates import NOTHING, Estimates, estimated
from keywright.api.plans import Due, Plan
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import counted, say
from keywright.history.checking import indexed
from keywright.history.gates import awaited
from keywright.ir.json import Json
from keywright.project.files import write
from keywright.report.document import document

from .sizes import estimate_json, gone_over, warnings_json
from .where import difference_json, differing, local, step_json, where

DUE = 1


@click.command(cls=Command)
@local
@click.option("--to", metavar="VERSION", help="The last version; all by default.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write the plan here, as JSON.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, to: str | None, output: str | None, format_: str) -> int:
    """Show each stage and statement that apply would run now, and the hash by which they are approved.

    Reads the stores and changes nothing; exits 1 if something is due.
    """
    made, known = estimated(where(common, is_local), to=to, today=date.today())
    text = document("migrate-plan/1", body(made, known))
    if output:
        write(Path(output), text)
    if format_ == "json":
        say(text, nl=False)
    else:
        _say(common, made, known)
    return DUE if made.is_due else 0


def body(made: Plan, known: Estimates = NOTHING) -> dict[str, Json]:
    """A plan as a document, with what is known of the data that it goes over."""
    due: list[Json] = [
        {
            "version": one.version.folder,
            "n": one.stage.n,
            "phase": one.stage.phase,
            "by": one.stage.by,
            "op": one.stage.op,
            "store": one.stage.store or None,
            "text": one.stage.text or None,
            "statements": [step_json(step) for step in one.steps],
            **estimate_json(known.stages.get((one.version.number, one.stage.n))),
        }
        for one in made.due
    ]
    return {
        "environment": made.environment,
        "hash": made.hash,
        "fresh": made.is_fresh,
        "live": dict(made.live),
        "steps": due,
        "settings": [
            {"store": step.store, "summary": step.summary, "statement": step.statement} for step in made.settings
        ],
        "drift": [difference_json(*one) for one in made.drift],
        **warnings_json(known.warnings),
    }


def _say(common: Common, made: Plan, known: Estimates) -> None:
    for one in made.drift:
        say(f"{click.style('drift', fg='red')}: {differing(*one)}")
    for step in made.settings:
        say(f"  settings       {step.store}: {step.summary}")
    if not made.is_due:
        say("nothing is due")
    if not made.due:
        for folder in made.files:
            say(f"{click.style(folder, bold=True)}  every step is done; apply compares it and records it as done")
        return
    before = ""
    for due in made.due:
        if due.version.folder != before and not made.is_fresh:
            before = due.version.folder
            say(click.style(before, bold=True))
        for line in _lines(due):
            say(f"  {due.stage.n:4} {due.stage.phase:9} {line}")
        for line in gone_over(known.stages.get((due.version.number, due.stage.n))):
            say(f"{'':17}{line}")
    for finding in known.warnings:
        say(f"{click.style('warning', fg='yellow')}[{finding.code}] {finding.object}: {finding.message}")
        say(f"  help: {finding.help}")
    if common.verbosity >= 0:
        say(f"{counted(len(made.due), 'step')}; approve with --approved {made.hash}")


def _lines(due: Due) -> Iterator[str]:
    """What one stage does, in a line for each statement."""
    stage = due.stage
    if stage.is_gate:
        yield f"waits for {awaited(stage)}"
    elif stage.op == "alter":
        by = "  by pulumi" if stage.by == "pulumi" else ""
        yield from (f"{step.store}: {step.summary}{by}" for step in due.steps)
        if not due.steps and stage.store:
            yield f"{stage.store}: by hand: {stage.object}"
    elif stage.op == "check_index_values":
        table, index = indexed(stage)
        yield f'{stage.store}: every stored value fits index "{index}" of "{table}"'
    elif stage.op == "assert_snapshot":
        yield "everything is compared with the version"
    else:
        yield f"{stage.store}: {stage.op} {stage.object}"
