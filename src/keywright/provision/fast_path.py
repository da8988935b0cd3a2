"""Caches the resources of a program, which stay valid until one of its inputs changes.

Only for an environment that follows its models: the position of other environments is read from their stores.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from keywright import __version__
from keywright.api.pulumi.plain import Provided, dump, parse
from keywright.errors import UsageError
from keywright.project import build_cache
from keywright.project.settings import Settings

if TYPE_CHECKING:
    from keywright.api.stack.desired import Stack


def cached(settings: Settings, environment: str) -> Provided | None:
    """The cached resources; None if there are none or an input has changed."""
    if not build_cache.is_current(str(settings.root), _key(environment), __version__):
        return None
    return parse(json.loads(_file(settings, environment).read_bytes()))


def store(settings: Settings, stack: "Stack", provided: Provided, started: int) -> None:
    """Cache the resources of a stack, with the files that they depend on.

    started: start of the computation, in ns since the epoch.
    """
    from keywright.project import fast_path
    from keywright.project.files import write

    file, text = _file(settings, provided.environment), json.dumps(dump(provided))
    try:
        write(file, text)
    except UsageError:
        return  # a read-only project has no cache
    folders, read = fast_path.migrations(settings)
    fast_path.of_models(
        settings, stack.compiled.project.files, _key(provided.environment), started,
        artefacts={str(file): text}, folders=folders, read=read,
    )  # fmt: skip


def _key(environment: str) -> str:
    return f"pulumi-{environment}"


def _file(settings: Settings, environment: str) -> Path:
    return Path(build_cache.path_of(str(settings.root), f"{_key(environment)}.told"))
