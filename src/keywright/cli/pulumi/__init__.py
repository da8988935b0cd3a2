"""`keywright pulumi`: for a Pulumi program that is there; each command is the module of its name."""

from typing import Any

import click

from keywright.cli.options import Lazy

COMMANDS = {
    "init": "Print what to add to an existing program.",
    "import": "Write what `pulumi import --file` takes of existing stores.",
}
"""Every command with its short help, in the order of a day's work."""


class _Pulumi(Lazy):
    package = __name__
    shorts = COMMANDS


@click.group("pulumi", cls=_Pulumi)
def command(**values: Any) -> None:
    """Bring keywright into a Pulumi program that is there, and existing stores into its stack.

    \b
    keywright pulumi init                             what to add, and where
    keywright --env prod pulumi import -o import.json
    pulumi import --file import.json                  then the next preview is empty
    """
