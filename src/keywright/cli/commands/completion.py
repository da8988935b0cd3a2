"""`keywright completion`: the completion script of a shell."""

import click
from click.shell_completion import get_completion_class

from ..fast_path import COMPLETE
from ..options import Command, Common
from ..output import print_line
from ..values import Choice

SHELLS = ("bash", "zsh", "fish")


@click.command(cls=Command)
@click.argument("shell", type=Choice(SHELLS))
@click.pass_obj
def command(common: Common, shell: str) -> int:
    """Print the completion script of a shell.

    \b
    eval "$(keywright completion bash)"     in ~/.bashrc
    eval "$(keywright completion zsh)"      in ~/.zshrc
    keywright completion fish | source      in ~/.config/fish/config.fish
    """
    from ..app import app

    completion_class = get_completion_class(shell)
    assert completion_class is not None
    print_line(completion_class(app, {}, "keywright", COMPLETE).source())
    return 0
