"""`keywright inspect`: show the structure of live stores."""

from collections.abc import Mapping
from pathlib import Path

import click

from keywright.api.live.inspect import Live, inspect, scripts, snapshot
from keywright.api.live.unmanaged import UnmanagedObject
from keywright.api.local.apply import inspect_local
from keywright.engines.interface import Description
from keywright.errors import UsageError
from keywright.ir.json import Json, canonical
from keywright.ir.text import one_line
from keywright.migrations.snapshot import dump
from keywright.project.files import write
from keywright.record import Record
from keywright.report.document import document

from ..options import Command, Common, formats
from ..output import counted, print_line, relative_file
from ..store_options import selector_of, unmanaged_json
from ..values import Choice, EngineName

FORMS = ("snapshot", "rendered")


@click.command(cls=Command)
@click.option("--local", "is_local", is_flag=True, help="Use the servers of `keywright local`.")
@click.option("--engine", "engines", multiple=True, type=EngineName(), help="Show only this engine; may be repeated.")
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    type=click.Path(),
    help="Output file or folder; without settings of the environment.",
)
@click.option(
    "--as", "form", type=Choice(FORMS), help="Format of -o: a snapshot by default, or scripts for standard tools."
)
@formats("text", "json")
@click.pass_obj
def command(
    common: Common, is_local: bool, engines: tuple[str, ...], output: str | None, form: str | None, format_: str
) -> int:
    """Show the structure of live stores: keys, indexes, validators, options, settings.

    --local shows everything on the local servers. --env and -o are limited to the objects of the last migration, or to
    those of the models if there is no migration. A snapshot has the format of `keywright migrate snapshot`; scripts are
    written into a folder, and create the same objects in an empty store.

    \b
    keywright inspect --local
    keywright inspect --local --engine dynamodb --format json
    keywright --env prod inspect -o live.json
    keywright --env prod inspect -o live --as rendered
    """
    if form and output is None:
        raise UsageError("--as requires -o", "add -o PATH")
    selector = selector_of(common, is_local)
    if is_local and output is None:
        instances = inspect_local(selector.settings, engines)
        _print_targets(
            common,
            [_Target(instance.store, instance.description, (), instance.dead_letters) for instance in instances],
            format_,
        )
        return 0
    live_targets = inspect(selector, engines)
    if output is not None:
        _write(common, live_targets, Path(output), form or FORMS[0], format_)
    if output is None or format_ == "json":
        _print_targets(
            common,
            [_Target(live.store, live.description, live.unmanaged, live.dead_letters) for live in live_targets],
            format_,
        )
    return 0


def _write(common: Common, live_targets: list[Live], path: Path, form: str, format_: str) -> None:
    """Write a file, or a folder of files."""
    files = {path: dump(snapshot(live_targets))}
    if form == "rendered":
        files = {path / file: text for file, text in scripts(live_targets).items()}
    for file, text in files.items():
        write(file, text)
    if format_ == "text" and common.verbosity >= 0:
        style = click.style(relative_file(str(path)), bold=True)
        print_line(f"wrote {style}: {counted(len(files), 'file')} of {counted(len(live_targets), 'object')}")


class _Target(Record):
    """The printed parts of a target."""

    store: str
    description: Description
    unmanaged: tuple[UnmanagedObject, ...]
    dead_letters: Mapping[str, int]


def _print_targets(common: Common, targets: list[_Target], format_: str) -> None:
    targets = sorted(targets, key=lambda target: (target.store, str(target.description["name"])))
    if format_ == "json":
        rows: list[Json] = [
            {
                "store": target.store,
                "name": target.description["name"],
                "native": target.description["native"],
                "unmanaged": [unmanaged_json(unmanaged) for unmanaged in target.unmanaged],
                **({"dead_letters": dict(target.dead_letters)} if target.dead_letters else {}),
            }
            for target in targets
        ]
        print_line(document("inspect/1", {"targets": rows}), nl=False)
        return
    for target in targets:
        print_line(click.style(f"{target.store} {target.description['name']}", bold=True))
        for line in _lines(target.description["native"], "  "):
            print_line(line)
        if target.unmanaged:
            print_line(f"  unmanaged: {', '.join(unmanaged.object for unmanaged in target.unmanaged)}")
        if target.dead_letters:
            dead_letters = (f"{count:,} in {one_line(key)}" for key, count in target.dead_letters.items())
            print_line(f"  dead letters: {', '.join(dead_letters)}")
    if not targets:
        print_line("no objects")
    elif common.verbosity >= 0:
        print_line(counted(len(targets), "object"))


def _lines(value: Json, indent: str) -> list[str]:
    """Indented outline of a description; short parts are on one line."""
    if not isinstance(value, dict):
        return [f"{indent}{canonical(value)}"]
    lines: list[str] = []
    for key, inner in sorted(value.items()):
        text = canonical(inner)
        if isinstance(inner, dict) and inner and len(text) + len(indent) + len(key) > 100:
            lines += [f"{indent}{key}", *_lines(inner, f"{indent}  ")]
        else:
            lines.append(f"{indent}{key}: {text}")
    return lines
