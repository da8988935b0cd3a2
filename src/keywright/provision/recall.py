"""What a program said the last time: as good as new while nothing has changed that it was made from.

Only of an environment that follows its models: where another is, its stores are asked each time.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from keywright import __version__
from keywright.api.provided import Provided, dump, parse
from keywright.errors import UsageError
from keywright.project import cache
from keywright.project.settings import Settings

if TYPE_CHECKING:
    from keywright.api.stack import Stack


def recalled(settings: Settings, environment: str) -> Provided | None:
    """What was kept; None where there is nothing, or something has changed since."""
    if not cache.is_fresh(str(settings.root), _key(environment), __version__):
        return None
    return parse(json.loads(_file(settings, environment).read_bytes()))


def keep(settings: Settings, stack: "Stack", told: Provided, begun: int) -> None:
    """Write down what a stack provides, and what it was made from.

    begun: when that began, in ns since the epoch.
    """
    from keywright.project import remember
    from keywright.project.files import write

    file, text = _file(settings, told.environment), json.dumps(dump(told))
    try:
        write(file, text)
    except UsageError:
        return  # a project that is read-only: the next program takes as long as this one
    folders, read = remember.versions(settings)
    remember.of_models(
        settings, stack.compiled.project.files, _key(told.environment), begun, made={str(file): text}, folders=folders,
        read=read,
    )  # fmt: skip


def _key(environment: str) -> str:
    return f"pulumi-{environment}"


def _file(settings: Settings, environment: str) -> Path:
    return Path(cache.path_of(str(settings.root), f"{_key(environment)}.told"))
