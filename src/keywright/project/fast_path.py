"""Notes what an answer was made from, so that the next one is given at once while nothing of it has changed."""

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from keywright import __version__

from . import cache
from .settings import Settings


def of_models(
    settings: Settings,
    files: Mapping[str, str],
    name: str,
    begun: int,
    *,
    made: Mapping[str, str] | None = None,
    folders: Iterable[Path] = (),
    read: Iterable[Path] = (),
    said: str = "",
    is_of_today: bool = False,
) -> None:
    """An answer that was made from the models, code included.

    files: the model files by dotted name; name: of the answer; begun: when, in ns; made: what it wrote; folders, read:
    what else it depends on; said: what it ended with; is_of_today: whether that may be another tomorrow.
    """
    loaded = _loaded()
    own = [file for file in loaded if file.startswith(f"{settings.root}/") and "/site-packages/" not in file]
    stacks = (settings.root / settings.environments).glob("Pulumi.*.yaml")
    models = [path for path in settings.model_paths if path.is_dir()]
    within = (inner for path in models for inner in path.rglob("*") if inner.is_dir())
    # A package that appears beside a module that was imported would be imported in its place.
    around = {os.path.dirname(file) for file in (*files.values(), *own)}
    known = (*map(str, (*settings.root_paths, *models, *within, *folders)), *around)
    cache.remember(
        str(settings.root),
        name,
        __version__,
        begun=begun,
        read=[*_common(settings), *files.values(), *own, *map(str, stacks), *map(str, read)],
        made=made or {},
        libraries=loaded,
        folders=[path for path in known if Path(path).name != "__pycache__"],
        said=said,
        is_of_today=is_of_today,
    )


def of_versions(settings: Settings, name: str, begun: int) -> None:
    """An answer that was made from the folder of versions alone."""
    folders, read = versions(settings)
    cache.remember(
        str(settings.root),
        name,
        __version__,
        begun=begun,
        read=[*_common(settings), *map(str, read)],
        made={},
        libraries=_loaded(),
        folders=list(map(str, folders)),
    )


def versions(settings: Settings) -> tuple[list[Path], list[Path]]:
    """(folders, files) of all versions."""
    root = settings.root / settings.migrations
    found = [path for path in root.rglob("*") if "__pycache__" not in path.parts]
    return [root, *(path for path in found if path.is_dir())], [path for path in found if path.is_file()]


def _common(settings: Settings) -> list[str]:
    return [str(settings.root / "pyproject.toml")]


def _loaded() -> list[str]:
    return [file for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))]
