"""`keywright guard`: a Pulumi preview, before it is carried out."""

import sys
from pathlib import Path

import click

from keywright.api.guard import Danger, described, judge
from keywright.errors import UsageError
from keywright.report.document import document

from .options import Command, Common, formats
from .say import counted, note, say

DANGEROUS = 1


@click.command(cls=Command)
@click.argument("file", metavar="FILE")
@click.option("--allow", "allowed", multiple=True, metavar="CHANGE", help="What may be done, such as +orders/by_day.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, file: str, allowed: tuple[str, ...], format_: str) -> int:
    """Judge a preview of Pulumi, of any program: nothing that holds data may be replaced, deleted or unprotected, and
    no index is touched that nobody named. Exits 1 if something would be; FILE may be - for standard input.

    \b
    pulumi preview --json -s prod | keywright guard -
    keywright guard preview.json --allow +orders/by_day
    """
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise UsageError(f'cannot read "{file}": {reason}', "write it with `pulumi preview --json > FILE`") from None
    found = judge(text, allowed or None)
    if format_ == "json":
        say(document("guard/1", {"dangers": described(found)}), nl=False)
        return DANGEROUS if found else 0
    for one in found:
        say(f"{click.style(f'error[{one.code}]', fg='red', bold=True)}: {one.problem}")
        note(f"  help: {one.help}")
    if common.verbosity >= 0:
        say(_summary(found))
    return DANGEROUS if found else 0


def _summary(found: list[Danger]) -> str:
    if not found:
        return "nothing that holds data is in danger"
    return f"{counted(len(found), 'danger')}; `keywright explain {found[0].code}` tells more about the first"
