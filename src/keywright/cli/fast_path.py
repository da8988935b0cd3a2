"""Fast answers without importing click, Pydantic or YAML: help, version, and cached results of unchanged projects."""

import os

from keywright import __version__
from keywright.project import build_cache

from . import help

UP_TO_DATE = "up to date"

UNCHANGED = "no difference: the last migration matches the models"
"""Output of `migrate diff` without changes."""

NO_FINDINGS = "no findings"
"""Output of `migrate lint` without findings."""

_ANSWERS = {
    ("compile",): ("compile", UP_TO_DATE),
    ("compile", "--check"): ("compile", UP_TO_DATE),
    ("migrate", "diff", "--check"): ("diff", UNCHANGED),
    ("migrate", "lint"): ("lint", NO_FINDINGS),
    ("check",): ("check", ""),
}
"""(name of the cached answer, text) by the words of the command line; an empty text is stored in the cache."""

COMPLETE = "_KEYWRIGHT_COMPLETE"
"""Environment variable that requests shell completions; the program then gets no arguments."""


def answer(arguments: list[str]) -> str | None:
    """Text to print for help, version, or an unchanged project; None to run the command."""
    if COMPLETE in os.environ:
        return None
    if arguments in ([], ["--help"], ["-h"]):
        return help.text()
    if arguments == ["--version"]:
        return f"keywright {__version__}"
    options, words = _split(arguments)
    name, text = _ANSWERS.get(tuple(words), ("", ""))
    if not name or None in options.values():
        return None
    root = project_root(arguments)
    cached = None if root is None else build_cache.cached_answer(root, f"{name}-{key(options['--env'])}", __version__)
    return None if cached is None else text or cached


def key(environment: str | None) -> str:
    """Cache key of an environment option; empty for the default environment."""
    return environment or ""


def project_root(arguments: list[str]) -> str | None:
    """Folder of the project of a command line; None if there is none."""
    return _root(_split(arguments)[0]["--project"] or os.environ.get("KEYWRIGHT_PROJECT"))


def _split(arguments: list[str]) -> tuple[dict[str, str | None], list[str]]:
    """(project and environment, empty if not given and None if the value is missing; all other words)."""
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
    """Folder of the project, as `settings.find_root` finds it."""
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
