"""`keywright drift`: compare live stores with their migrations."""

from shlex import quote

import click

from keywright.api.migrate.drift import drift
from keywright.ir.json import Json, canonical
from keywright.ir.text import one_line
from keywright.report.document import document

from ..options import Command, Common, formats
from ..output import counted, note, print_line
from ..store_options import (
    accepted_json,
    difference_json,
    difference_line,
    local,
    selector_of,
    statement_json,
    unmanaged_json,
)

DIFFERS = 1


@click.command(cls=Command)
@local
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, format_: str) -> int:
    """Show the differences between live stores and their applied migrations; exits 1 if there are any.

    Other objects are unmanaged: the command lists them, but they are no differences, and keywright never changes them.
    `keywright migrate take-over` makes them managed. Accepted objects of `keywright migrate accept` are no differences
    either.

    \b
    keywright drift --local
    keywright --env prod drift --format json
    """
    result = drift(selector_of(common, is_local))
    if format_ == "json":
        body: dict[str, Json] = {
            "differences": [difference_json(*difference) for difference in result.differences],
            "repairs": [statement_json(statement) for statement in result.repairs],
            "objects": list(result.objects),
            "accepted": [accepted_json(accepted) for accepted in result.accepted],
            "unmanaged": [unmanaged_json(unmanaged) for unmanaged in result.unmanaged],
        }
        print_line(document("drift/1", body), nl=False)
        return DIFFERS if result.differences else 0
    for difference in result.differences:
        print_line(difference_line(*difference))
    print_line(
        counted(len(result.differences), "difference") if result.differences else "every store matches its history"
    )
    for statement in result.repairs:
        note(f"  to repair it: {statement.store}: {statement.summary}")
        note(f"    {canonical(statement.native)}")
    if result.located:
        note(f"help: {result.located}")
    for name in result.objects:
        note(f"  to accept it: keywright migrate accept {quote(name)} --reason TEXT")
    if result.accepted and common.verbosity >= 0:
        print_line(f"{counted(len(result.accepted), 'object')} accepted as different from the migrations:")
        for accepted in result.accepted:
            print_line(f"  {accepted.object}: {one_line(accepted.reason)} ({accepted.actor}, {accepted.at})")
    if result.unmanaged and common.verbosity >= 0:
        print_line(f"{counted(len(result.unmanaged), 'unmanaged object')}, which migrations never change:")
        for unmanaged in result.unmanaged:
            print_line(f"  {unmanaged.object}{f', equal to {unmanaged.equal}' if unmanaged.equal else ''}")
    return DIFFERS if result.differences else 0
