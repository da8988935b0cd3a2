"""`keywright completion`: the completion script of a shell."""

import click
from click.shell_completion import get_completion_class

from .options import Command, Common

_HOW = {
    "bash": 'eval "$(keywright completion bash)"     in ~/.bashrc',
    "zsh": 'eval "$(keywright completion zsh)"      in ~/.zshrc',
    "fish": "keywright completion fish | source     in ~/.config/fish/config.fish",
}


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(list(_HOW)))
@click.pass_obj
def command(common: Common, shell: str) -> int:
    """Print the completion script of a shell.

    \b
    eval "$(keywright completion bash)"     in ~/.bashrc
    eval "$(keywright completion zsh)"      in ~/.zshrc
    keywright completion fish | source      in ~/.config/fish/config.fish
    """
    from .app import app

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(app, {}, "keywright", "_KEYWRIGHT_COMPLETE").source())
    return 0
