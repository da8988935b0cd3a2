"""`keywright rules`: the catalogue of codes."""

import click

from keywright.errors import UsageError, did_you_mean
from keywright.report import rules
from keywright.rules.listing import ASKED, FAMILIES, Entry, entries

from .options import Command, Common, formats
from .say import counted, note, say
from .values import OneOf


@click.command(cls=Command)
@click.argument("codes", nargs=-1, metavar="[CODE]...")
@click.option("--asked-of", type=OneOf(ASKED), help="Only those that are asked of this.")
@click.option("--word", metavar="TEXT", help="Only those whose name or summary has this text.")
@formats("text", "json", "markdown")
@click.pass_obj
def command(common: Common, codes: tuple[str, ...], asked_of: str | None, word: str | None, format_: str) -> int:
    """List every code with its severity in development and elsewhere, when it is asked, and its parameters.

    CODE limits the list to those that begin so. A rule is asked of the compiler, of models, of a stored thing, of a
    resource or of all of a stack, of a live store, of migrations, of a preview.

    \\b
    keywright rules
    keywright rules DDB --asked-of stored
    keywright rules --word ttl
    keywright rules --format json | jq '.rules[] | select(.suppressible) | .code'
    """
    known = entries()
    for code in codes:
        if not any(one.code.startswith(code.upper()) for one in known):
            raise UsageError(f'there is no such code as "{code}"', did_you_mean(code, FAMILIES))
    found = [one for one in known if _is_wanted(one, codes, asked_of, word)]
    if format_ == "json":
        say(rules.document(found), nl=False)
    elif format_ == "markdown":
        say(rules.markdown(found, ""), nl=False)
    else:
        _table(found)
        if common.verbosity >= 0:
            note(f"\n{counted(len(found), 'code')}; `keywright explain CODE` prints the page of one")
    return 0


def _is_wanted(one: Entry, codes: tuple[str, ...], asked: str | None, word: str | None) -> bool:
    text = f"{one.name} {one.summary}".lower()
    return (
        (not codes or any(one.code.startswith(code.upper()) for code in codes))
        and (asked is None or asked in one.asked)
        and (word is None or word.lower() in text)
    )


def _table(found: list[Entry]) -> None:
    width = max((len(one.name) for one in found), default=0)
    for one in found:
        severity = one.elsewhere if one.in_dev == one.elsewhere else f"{one.in_dev}/{one.elsewhere}"
        say(f"{one.code:7} {one.name:{width}}  {severity:13}  {', '.join(one.asked)}")
