"""`keywright drift`: live stores against the versions that they should have."""

import click

from keywright.api.drift import drift
from keywright.ir.json import Json, canonical
from keywright.report.document import document

from .migrate.where import difference_json, differing, local, step_json, where
from .options import Command, Common, formats
from .say import counted, note, say

DIFFERS = 1


@click.command(cls=Command)
@local
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, format_: str) -> int:
    """Show what differs between the live stores and the versions that they should have; exits 1 if anything does.

    \b
    keywright drift --local
    keywright --env prod drift --format json
    """
    found = drift(where(common, is_local))
    if format_ == "json":
        body: dict[str, Json] = {
            "differences": [difference_json(*one) for one in found.differences],
            "repairs": [step_json(step) for step in found.repairs],
        }
        say(document("drift/1", body), nl=False)
        return DIFFERS if found.differences else 0
    for one in found.differences:
        say(differing(*one))
    say(counted(len(found.differences), "difference") if found.differences else "every store is as its history says")
    for step in found.repairs:
        note(f"  to put it right: {step.store}: {step.summary}")
        note(f"    {canonical(step.statement)}")
    return DIFFERS if found.differences else 0
