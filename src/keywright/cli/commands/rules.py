"""`keywright rules`: list all codes."""

import click

from keywright.errors import UsageError, did_you_mean
from keywright.report import rules
from keywright.rules.listing import FAMILIES, SCOPES, Entry, entries

from ..options import Command, Common, formats
from ..output import counted, note, print_line
from ..values import Choice


@click.command(cls=Command)
@click.argument("codes", nargs=-1, metavar="[CODE]...")
@click.option("--asked-of", type=Choice(SCOPES), help="List only rules of this scope.")
@click.option("--word", metavar="TEXT", help="List only codes whose name or summary contains this text.")
@formats("text", "json", "markdown")
@click.pass_obj
def command(common: Common, codes: tuple[str, ...], asked_of: str | None, word: str | None, format_: str) -> int:
    """List every code with its name, its severity in development and elsewhere, and its scope.

    CODE limits the list to codes that start with it. The scope of a rule is the compiler, models, a stored target, a
    resource, a stack, a live store, migrations or a preview.

    \b
    keywright rules
    keywright rules DDB --asked-of stored
    keywright rules --word ttl
    keywright rules --format json | jq '.rules[] | select(.suppressible) | .code'
    """
    catalogue = entries()
    for code in codes:
        if not any(entry.code.startswith(code.upper()) for entry in catalogue):
            raise UsageError(f'no code starts with "{code}"', did_you_mean(code, FAMILIES))
    selected = [entry for entry in catalogue if _is_selected(entry, codes, asked_of, word)]
    if format_ == "json":
        print_line(rules.document(selected), nl=False)
    elif format_ == "markdown":
        print_line(rules.markdown(selected, ""), nl=False)
    else:
        _print_table(selected)
        if common.verbosity >= 0:
            note(f"\n{counted(len(selected), 'code')}; `keywright explain CODE` prints its page")
    return 0


def _is_selected(entry: Entry, codes: tuple[str, ...], scope: str | None, word: str | None) -> bool:
    text = f"{entry.name} {entry.summary}".lower()
    return (
        (not codes or any(entry.code.startswith(code.upper()) for code in codes))
        and (scope is None or scope in entry.scope)
        and (word is None or word.lower() in text)
    )


def _print_table(selected: list[Entry]) -> None:
    width = max((len(entry.name) for entry in selected), default=0)
    for entry in selected:
        severity = entry.elsewhere if entry.in_dev == entry.elsewhere else f"{entry.in_dev}/{entry.elsewhere}"
        print_line(f"{entry.code:7} {entry.name:{width}}  {severity:13}  {', '.join(entry.scope)}")
