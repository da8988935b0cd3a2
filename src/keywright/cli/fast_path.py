"""The shortest way to an answer: help, version and "nothing has changed", without click, Pydantic or YAML."""

import os

from keywright import __version__
from keywright.project import cache

from . import help

UP_TO_DATE = "up to date"

UNCHANGED = "no difference: the models are as the last version says"
"""What `migrate diff` says where there is nothing to write."""

UNOBJECTED = "nothing to say against any version"
"""What `migrate lint` says where it finds nothing."""

_ANSWERS = {
    ("compile",): ("compile", UP_TO_DATE),
    ("compile", "--check"): ("compile", UP_TO_DATE),
    ("migrate", "diff", "--check"): ("diff", UNCHANGED),
    ("migrate", "lint"): ("lint", UNOBJECTED),
    ("check",): ("check", ""),
}
"""(name of the remembered answer, its text) by the words of the command line; an empty text is remembered with it."""

COMPLETE = "_KEYWRIGHT_COMPLETE"
"""The variable by which a shell asks for completions; the program then gets no arguments."""


def answer(arguments: list[str]) -> str | None:
    """What to print for help, version, and a compile since which nothing has changed; None to go the long way."""
    if COMPLETE in os.environ:
        return None
    if arguments in ([], ["--help"], ["-h"]):
        return help.text()
    if arguments == ["--version"]:
        return f"keywright {__version__}"
    options, words = _parted(arguments)
    name, text = _ANSWERS.get(tuple(words), ("", ""))
    if not name or None in options.values():
        return None
    root = project_root(arguments)
    said = None if root is None else cache.recalled(root, f"{name}-{key(options['--env'])}", __version__)
    return None if said is None else text or said


def key(environment: str | None) -> str:
    """The cache's key for an environment as it was asked for; empty for the default one."""
    return environment or ""


def project_root(arguments: list[str]) -> str | None:
    """The folder of the project that a command line is about; None if there is none."""
    return _root(_parted(arguments)[0]["--project"] or os.environ.get("KEYWRIGHT_PROJECT"))


def _parted(arguments: list[str]) -> tuple[dict[str, str | None], list[str]]:
    """(project and environment, empty where none is named and None where the name is missing; all other words)."""
    options: dict[str, str | None] = {
        "--project": "",
        "--env": os.environ.get("KEYWRIGHT_ENV", ""),
    }
    words, rest = [], iter(arguments)
    for argument in rest:
        name, sign, value = argument.partition("=")
        if name in options:
            options[name] = value if sign else next(rest, None)
        else:
            words.append(argument)
    return options, words


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
