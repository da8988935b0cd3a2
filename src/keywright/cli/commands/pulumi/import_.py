"""`keywright pulumi import`: write the import file of existing stores for `pulumi import`."""

import json
import os
import shlex
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import click

from keywright.api.live.connect import StoreSelector
from keywright.api.pulumi.plain import POSITION
from keywright.api.pulumi.pulumi_import import existing, import_file
from keywright.api.stack.desired import stack_of
from keywright.cli.options import Command, Common
from keywright.cli.output import counted, note, print_line
from keywright.cli.store_options import local
from keywright.cli.values import EngineName
from keywright.project.files import write
from keywright.project.settings import read_settings

SDKS = {"aws": "pulumi-aws"}
"""Python packages of providers, by the package of their types."""


@click.command(cls=Command)
@click.option("--engine", "engines", multiple=True, type=EngineName(), help="Import only this engine; may be repeated.")
@click.option("-o", "--output", metavar="FILE", help="Output file; by default standard output.")
@local
@click.pass_obj
def command(common: Common, engines: tuple[str, ...], output: str | None, is_local: bool) -> int:
    """Write the import file of existing tables, collections and other objects for `pulumi import --file`.

    Reads the stores of the environment. The file contains the declared objects that exist; `pulumi up` creates the
    others. If a store cannot be read, the file contains all its declared objects. Pulumi skips resources that its stack
    already contains.

    \b
    keywright --env prod pulumi import -o import.json
    """
    settings = read_settings(common.project)
    selector = StoreSelector(settings, common.env or settings.default_environment, is_local)
    stack = stack_of(selector, os.environ.get(POSITION))
    existings = existing(selector, [target for target in stack.targets if not engines or target.engine.name in engines])
    resources = [resource for store in existings for resource in store.resources]
    for store in existings:
        if store.problem:
            note(f"{store.store} could not be read, so all its declared objects are written: {store.problem}")
        elif store.missing and common.verbosity >= 0:
            note(f"{store.store} has no {', '.join(store.missing)} yet; `pulumi up` creates it")
    text = json.dumps(import_file(resources, _versions()), indent=2) + "\n"
    if output is None:
        print_line(text, nl=False)
    else:
        write(Path(output), text)
    if common.verbosity >= 0:
        file = shlex.quote(output or "import.json")
        note(f"{counted(len(resources), 'resource')}; next, in the folder of Pulumi.yaml:")
        note(f"  pulumi import --stack {selector.environment} --file {file} --generate-code=false")
    return 0


def _versions() -> dict[str, str]:
    """Versions of the installed providers, by the package of their types."""
    versions: dict[str, str] = {}
    for package, sdk in SDKS.items():
        with suppress(metadata.PackageNotFoundError):
            versions[package] = metadata.version(sdk)
    return versions
