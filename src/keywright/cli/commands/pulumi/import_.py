"""`keywright pulumi import`: existing stores as what `pulumi import --file` takes."""

import json
import os
import shlex
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import click

from keywright.api.adoption import existing, import_file
from keywright.api.provided import POSITION
from keywright.api.sites import Where
from keywright.api.stack import stack_of
from keywright.cli.migrate.where import local
from keywright.cli.options import Command, Common
from keywright.cli.say import counted, note, say
from keywright.cli.values import OneOf
from keywright.engines.registry import ENGINES
from keywright.project.files import write
from keywright.project.settings import read_settings

NAMES = [engine.name for engine in ENGINES]

SDKS = {"aws": "pulumi-aws"}
"""The Python package of a provider, by the package of its types."""


@click.command(cls=Command)
@click.option("--engine", "engines", multiple=True, type=OneOf(NAMES), help="Only this engine; may be repeated.")
@click.option("-o", "--output", metavar="FILE", help="File to write to, in place of standard output.")
@local
@click.pass_obj
def command(common: Common, engines: tuple[str, ...], output: str | None, is_local: bool) -> int:
    """Write what `pulumi import --file` takes of the tables, collections and the like that are there already.

    The stores of the environment are asked. What is declared and there is written, what is not there is left for
    `pulumi up`; of a store that cannot be asked, all that is declared is written. Pulumi passes over what its stack
    has already.

    \b
    keywright --env prod pulumi import -o import.json
    """
    settings = read_settings(common.project)
    where = Where(settings, common.env or settings.default_environment, is_local)
    stack = stack_of(where, os.environ.get(POSITION))
    found = existing(where, [one for one in stack.targets if one.engine.name in (engines or NAMES)])
    resources = [one for store in found for one in store.resources]
    for store in found:
        if store.problem:
            note(f"{store.store} was not asked, so that all of it is written: {store.problem}")
        elif store.missing and common.verbosity >= 0:
            note(f"{store.store} has no {', '.join(store.missing)} yet; `pulumi up` makes it")
    text = json.dumps(import_file(resources, _versions()), indent=2) + "\n"
    if output is None:
        say(text, nl=False)
    else:
        write(Path(output), text)
    if common.verbosity >= 0:
        file = shlex.quote(output or "import.json")
        note(f"{counted(len(resources), 'resource')}; next, in the folder of Pulumi.yaml:")
        note(f"  pulumi import --stack {where.environment} --file {file} --generate-code=false")
    return 0


def _versions() -> dict[str, str]:
    """Versions of the providers that a program in this environment asks for, by the package of their types."""
    found: dict[str, str] = {}
    for package, sdk in SDKS.items():
        with suppress(metadata.PackageNotFoundError):
            found[package] = metadata.version(sdk)
    return found
