"""`keywright explain`: the page of a code."""

import click

from keywright.errors import did_you_mean
from keywright.ir.json import Json
from keywright.pages.catalogue import codes, page
from keywright.report.document import document

from .options import Command, Common, formats


@click.command(cls=Command)
@click.argument("code", required=False)
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
        raise click.UsageError(f'there is no code "{code}"\n  help: {did_you_mean(wanted, codes())}')
    found = page(wanted)
    if format_ == "json":
        body: dict[str, Json] = {"code": found.code, "name": found.name, "summary": found.summary, "text": found.text}
        click.echo(document("explain/1", body), nl=False)
    else:
        click.echo(found.text.rstrip())
    return 0


def _index(format_: str) -> None:
    pages = [page(code) for code in codes()]
    if format_ == "json":
        listed: list[Json] = [{"code": one.code, "name": one.name, "summary": one.summary} for one in pages]
        click.echo(document("explain/1", {"codes": listed}), nl=False)
    else:
        for one in pages:
            click.echo(f"{one.code:7} {one.name}: {one.summary}")
