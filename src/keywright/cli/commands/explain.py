"""`keywright explain`: the page of a code."""

from difflib import get_close_matches

import click

from keywright.errors import UsageError
from keywright.ir.json import Json
from keywright.pages.catalogue import codes, page
from keywright.report.document import document

from ..options import Command, Common, formats
from ..output import print_line


def _codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Shell completions of CODE."""
    return [code for code in codes() if code.startswith(incomplete.upper())]


@click.command(cls=Command)
@click.argument("code", required=False, shell_complete=_codes)
@formats("text", "json", "markdown")
@click.pass_obj
def command(common: Common, code: str | None, format_: str) -> int:
    """Print the page of a code: the problem, its cause, a bad and a good case, and the fix.

    \b
    keywright explain GEN101
    keywright explain               every code with its summary
    """
    if code is None:
        _index(format_)
        return 0
    name = code.upper()
    try:
        code_page = page(name)
    except KeyError:
        close = get_close_matches(name, codes(), n=1)
        help = f'did you mean "{close[0]}"?' if close else "`keywright explain` lists all codes"
        raise UsageError(f'there is no code "{code}"', help) from None
    if format_ == "json":
        body: dict[str, Json] = {
            "code": code_page.code, "name": code_page.name, "summary": code_page.summary, "text": code_page.text,
        }  # fmt: skip
        print_line(document("explain/1", body), nl=False)
    else:
        print_line(code_page.text.rstrip())
    return 0


def _index(format_: str) -> None:
    pages = [page(code) for code in codes()]
    if format_ == "json":
        listed: list[Json] = [
            {"code": code_page.code, "name": code_page.name, "summary": code_page.summary} for code_page in pages
        ]
        print_line(document("explain/1", {"codes": listed}), nl=False)
    else:
        for code_page in pages:
            print_line(f"{code_page.code:7} {code_page.name}: {code_page.summary}")
