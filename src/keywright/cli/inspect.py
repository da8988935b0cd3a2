"""`keywright inspect`: what a live store holds."""

import click

from keywright import local
from keywright.api.live import inspect_local
from keywright.errors import UsageError
from keywright.ir.json import Json, canonical
from keywright.project.settings import read_settings
from keywright.report.document import document

from .options import Command, Common, formats
from .say import counted, say
from .values import OneOf


@click.command(cls=Command)
@click.option("--local", "is_local", is_flag=True, help="The servers of `keywright local`.")
@click.option("--engine", "engines", multiple=True, type=OneOf(list(local.RECIPES)), help="Only this engine.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, engines: tuple[str, ...], format_: str) -> int:
    """Show what a live store holds: keys, indexes, validators, options, settings.

    \b
    keywright inspect --local
    keywright inspect --local --engine dynamodb --format json
    """
    if not is_local:
        raise UsageError("say which store: add --local", "only the servers of `keywright local` can be inspected")
    found = inspect_local(read_settings(common.project), engines)
    if format_ == "json":
        targets: list[Json] = [
            {"store": one.store, "name": one.description["name"], "native": one.description["native"]} for one in found
        ]
        say(document("inspect/1", {"targets": targets}), nl=False)
        return 0
    for one in found:
        say(click.style(f"{one.store} {one.description['name']}", bold=True))
        for line in _lines(one.description["native"], "  "):
            say(line)
    if not found:
        say("the servers that run hold nothing")
    elif common.verbosity >= 0:
        say(counted(len(found), "object"))
    return 0


def _lines(value: Json, indent: str) -> list[str]:
    """A description as an indented outline; what has no parts of its own stands on one line."""
    if not isinstance(value, dict):
        return [f"{indent}{canonical(value)}"]
    lines: list[str] = []
    for key, inner in value.items():
        text = canonical(inner)
        if isinstance(inner, dict) and inner and len(text) + len(indent) + len(key) > 100:
            lines += [f"{indent}{key}", *_lines(inner, f"{indent}  ")]
        else:
            lines.append(f"{indent}{key}: {text}")
    return lines
