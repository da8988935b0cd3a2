"""`keywright explain`: the page of a code."""

from difflib import get_close_matches

import click

from keywright.errors import UsageError
from keywright.ir.json import Json
from keywright.pages.catalogue import codes, page
from keywright.report.document import document

from .options import Command, Common, formats
from .say import say


def _codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """What a shell offers for CODE."""
    return [code for code in codes() if code.startswith(incomplete.upper())]


@click.command(cls=Command)
@click.argument("code", required=False, shell_complete=_codes)
@formats("text", "json", "markdown")
@click.pass_obj
def command(common: Common, code: str | None, format_: str) -> int:
    """Print the page of an error code: what is wrong, why, a bad and a good case, and the fix.

    \b
    keywright explain GEN101
    keywright explain               every code with its summary
    """
    if code is None:
        _index(format_)
        return 0
    wanted = code.upper()
    if wanted not in codes():
        close = get_close_matches(wanted, codes(), n=1)
        help = f'did you mean "{close[0]}"?' if close else "`keywright explain` lists them"
        raise UsageError(f'there is no code "{code}"', help)
    found = page(wanted)
    if format_ == "json":
        body: dict[str, Json] = {"code": found.code, "name": found.name, "summary": found.summary, "text": found.text}
        say(document("explain/1", body), nl=False)
    else:
        say(found.text.rstrip())
    return 0


def _index(format_: str) -> None:
    pages = [page(code) for code in codes()]
    if format_ == "json":
        listed: list[Json] = [{"code": one.code, "name": one.name, "summary": one.summary} for one in pages]
        say(document("explain/1", {"codes": listed}), nl=False)
    else:
        for one in pages:
            say(f"{one.code:7} {one.name}: {one.summary}")
