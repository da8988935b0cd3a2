"""`keywright inspect`: what a live store holds."""

from pathlib import Path

import click

from keywright import local
from keywright.api.inspection import Live, inspect, scripts, snapshot
from keywright.api.live import inspect_local
from keywright.engines.interface import Description
from keywright.errors import UsageError
from keywright.history.snapshot import dump
from keywright.ir.json import Json, canonical
from keywright.project.files import write
from keywright.report.document import document

from .migrate.where import where
from .options import Command, Common, formats
from .say import counted, relative_file, say
from .values import OneOf

FORMS = ("snapshot", "rendered")


@click.command(cls=Command)
@click.option("--local", "is_local", is_flag=True, help="The servers of `keywright local`.")
@click.option("--engine", "engines", multiple=True, type=OneOf(list(local.RECIPES)), help="Only this engine.")
@click.option("-o", "--output", metavar="PATH", type=click.Path(), help="Write it here, free of the environment.")
@click.option(
    "--as", "form", type=OneOf(FORMS), help="What is written: a snapshot by default, or scripts for stock tools."
)
@formats("text", "json")
@click.pass_obj
def command(
    common: Common, is_local: bool, engines: tuple[str, ...], output: str | None, form: str | None, format_: str
) -> int:
    """Show what live stores hold: keys, indexes, validators, options, settings.

    --local shows everything on the local servers; --env, and what -o writes, is what the last version speaks of, or the
    models where there is no version. A snapshot has the form of migrations/*/snapshot.json; scripts are written into a
    folder, and make the same from nothing.

    \b
    keywright inspect --local
    keywright inspect --local --engine dynamodb --format json
    keywright --env prod inspect -o live.json
    keywright --env prod inspect -o live --as rendered
    """
    if form and output is None:
        raise UsageError("--as says in what form -o writes", "add -o PATH")
    place = where(common, is_local)
    if is_local and output is None:
        _say(common, [(one.store, one.description) for one in inspect_local(place.settings, engines)], format_)
        return 0
    found = inspect(place, engines)
    if output is not None:
        _write(common, found, Path(output), form or FORMS[0], format_)
    if output is None or format_ == "json":
        _say(common, [(one.store, one.description) for one in found], format_)
    return 0


def _write(common: Common, found: list[Live], path: Path, form: str, format_: str) -> None:
    """A file, or a folder of files."""
    files = {path: dump(snapshot(found))}
    if form == "rendered":
        files = {path / file: text for file, text in scripts(found).items()}
    for file, text in files.items():
        write(file, text)
    if format_ == "text" and common.verbosity >= 0:
        shown = click.style(relative_file(str(path)), bold=True)
        say(f"wrote {shown}: {counted(len(files), 'file')} of {counted(len(found), 'object')}")


def _say(common: Common, found: list[tuple[str, Description]], format_: str) -> None:
    if format_ == "json":
        targets: list[Json] = [{"store": store, "name": one["name"], "native": one["native"]} for store, one in found]
        say(document("inspect/1", {"targets": targets}), nl=False)
        return
    for store, one in found:
        say(click.style(f"{store} {one['name']}", bold=True))
        for line in _lines(one["native"], "  "):
            say(line)
    if not found:
        say("nothing is there")
    elif common.verbosity >= 0:
        say(counted(len(found), "object"))


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
