"""Caches an answer with the files that it depends on, so that the next run repeats it while none of them changes."""

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from keywright import __version__

from . import build_cache
from .settings import Settings


def of_models(
    settings: Settings,
    files: Mapping[str, str],
    name: str,
    started_ns: int,
    *,
    artefacts: Mapping[str, str] | None = None,
    folders: Iterable[Path] = (),
    read: Iterable[Path] = (),
    answer: str = "",
    expires_today: bool = False,
) -> None:
    """Cache an answer that depends on the models and their code.

    files: the model files by dotted name; name: the answer's name; started_ns: start, in ns; artefacts: files that it
    wrote; folders, read: other dependencies; answer: printed text; expires_today: whether it depends on the date.
    """
    loaded = _loaded()
    own = [file for file in loaded if file.startswith(f"{settings.root}/") and "/site-packages/" not in file]
    stacks = (settings.root / settings.environments).glob("Pulumi.*.yaml")
    models = [path for path in settings.model_paths if path.is_dir()]
    within = (inner for path in models for inner in path.rglob("*") if inner.is_dir())
    # A new package beside an imported module would be imported instead of the module.
    around = {os.path.dirname(file) for file in (*files.values(), *own)}
    parents = (*map(str, (*settings.root_paths, *models, *within, *folders)), *around)
    build_cache.store(
        str(settings.root),
        name,
        __version__,
        started_ns=started_ns,
        read=[*_common(settings), *files.values(), *own, *map(str, stacks), *map(str, read)],
        artefacts=artefacts or {},
        libraries=loaded,
        folders=[path for path in parents if Path(path).name != "__pycache__"],
        answer=answer,
        expires_today=expires_today,
    )


def of_migrations(settings: Settings, name: str, started_ns: int) -> None:
    """Cache an answer that depends only on the folder of migrations."""
    folders, read = migrations(settings)
    build_cache.store(
        str(settings.root),
        name,
        __version__,
        started_ns=started_ns,
        read=[*_common(settings), *map(str, read)],
        artefacts={},
        libraries=_loaded(),
        folders=list(map(str, folders)),
    )


def migrations(settings: Settings) -> tuple[list[Path], list[Path]]:
    """(folders, files) of all migrations."""
    root = settings.root / settings.migrations
    paths = [path for path in root.rglob("*") if "__pycache__" not in path.parts]
    return [root, *(path for path in paths if path.is_dir())], [path for path in paths if path.is_file()]


def _common(settings: Settings) -> list[str]:
    return [str(settings.root / "pyproject.toml")]


def _loaded() -> list[str]:
    return [file for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))]
