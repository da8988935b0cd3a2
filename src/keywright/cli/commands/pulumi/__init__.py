"""`keywright pulumi`: commands for existing Pulumi programs; each is the module of its name."""

from typing import Any

import click

from keywright.cli.options import LazyGroup

COMMANDS = {
    "init": "Print the code to add to an existing program.",
    "import": "Write the import file of existing stores for `pulumi import`.",
}
"""Commands with their short help, in the usual order of use."""


class _Pulumi(LazyGroup):
    package = __name__
    short_helps = COMMANDS


@click.group("pulumi", cls=_Pulumi)
def command(**values: Any) -> None:
    """Add keywright to an existing Pulumi program, and existing stores to its stack.

    \b
    keywright pulumi init                             print the code to add
    keywright --env prod pulumi import -o import.json
    pulumi import --file import.json                  the next preview is empty
    """
