"""The shortest way to an answer: help, version and "nothing has changed", without click, Pydantic or YAML."""

import os

from keywright import __version__
from keywright.project import cache

from . import help

UP_TO_DATE = "up to date"


def answer(arguments: list[str]) -> str | None:
    """What to print for help, version, and a compile since which nothing has changed; None to go the long way."""
    if arguments in ([], ["--help"], ["-h"]):
        return help.text()
    if arguments == ["--version"]:
        return f"keywright {__version__}"
    asked = _asked(arguments)
    if asked is None:
        return None
    project, environment = asked
    root = _root(project or os.environ.get("KEYWRIGHT_PROJECT"))
    if root is None or not cache.is_fresh(root, key(environment), __version__):
        return None
    return UP_TO_DATE


def key(environment: str | None) -> str:
    """The cache's key for an environment as it was asked for; none is the default one."""
    return environment or "default"


def _asked(arguments: list[str]) -> tuple[str | None, str | None] | None:
    """(project, environment) of a plain compile; None for any other command line."""
    options: dict[str, str | None] = {"--project": None, "--env": os.environ.get("KEYWRIGHT_ENV") or None}
    words, rest = [], iter(arguments)
    for argument in rest:
        name, sign, value = argument.partition("=")
        if name in options:
            options[name] = value if sign else next(rest, None)
        else:
            words.append(argument)
    return (options["--project"], options["--env"]) if words in (["compile"], ["compile", "--check"]) else None


def _root(project: str | None) -> str | None:
    """The project's folder, as `settings.find_root` finds it."""
    folder = os.path.abspath(project or os.getcwd())
    while True:
        try:
            with open(os.path.join(folder, "pyproject.toml"), "rb") as file:
                if b"[tool.keywright" in file.read():
                    return os.path.realpath(folder)
        except OSError:
            pass
        parent = os.path.dirname(folder)
        if project or parent == folder:
            return None
        folder = parent
