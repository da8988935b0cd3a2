"""`keywright completion`: the completion script of a shell."""

import click
from click.shell_completion import get_completion_class

from .fresh import COMPLETE
from .options import Command, Common
from .say import say
from .values import OneOf

SHELLS = ("bash", "zsh", "fish")


@click.command(cls=Command)
@click.argument("shell", type=OneOf(SHELLS))
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
    say(found(app, {}, "keywright", COMPLETE).source())
    return 0
