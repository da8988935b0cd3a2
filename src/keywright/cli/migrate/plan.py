"""`keywright migrate plan`: what apply would do."""

from pathlib import Path

import click

from keywright.api.plans import Plan, plan
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import counted, say
from keywright.ir.json import Json
from keywright.project.files import write
from keywright.report.document import document

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
    made = plan(where(common, is_local), to=to)
    text = document("migrate-plan/1", body(made))
    if output:
        write(Path(output), text)
    if format_ == "json":
        say(text, nl=False)
    else:
        _say(common, made)
    return DUE if made.due or made.settings or made.drift else 0


def body(made: Plan) -> dict[str, Json]:
    """A plan as a document."""
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
    }


def _say(common: Common, made: Plan) -> None:
    for one in made.drift:
        say(f"{click.style('drift', fg='red')}: {differing(*one)}")
    for step in made.settings:
        say(f"  settings       {step.store}: {step.summary}")
    if not made.due and not made.settings:
        say("nothing is due")
        return
    folder = ""
    for due in made.due:
        if due.version.folder != folder and not made.is_fresh:
            folder = due.version.folder
            say(click.style(folder, bold=True))
        head = f"  {due.stage.n:4} {due.stage.phase:9}"
        if due.stage.by == "human":
            say(f"{head} waits for a person: {due.stage.text}")
        elif due.stage.op == "alter":
            for step in due.steps:
                say(f"{head} {step.store}: {step.summary}")
            if not due.steps and due.stage.store:
                say(f"{head} {due.stage.store}: by hand: {due.stage.object}")
        elif due.stage.op == "assert_snapshot":
            say(f"{head} everything is compared with the version")
        else:
            say(f"{head} {due.stage.store}: {due.stage.op} {due.stage.object}")
    if common.verbosity >= 0:
        say(f"{counted(len(made.due), 'step')}; approve with --approved {made.hash}")
