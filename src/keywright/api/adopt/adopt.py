"""Existing stores and schema files as model files."""

import os
import re
from collections.abc import Callable, Sequence
from glob import glob
from pathlib import Path

from keywright.compiler import Project, load
from keywright.engines.contract.adoption import NotExpressed
from keywright.errors import UsageError
from keywright.ir.design import Design
from keywright.ir.text import counted
from keywright.project.environments.environment import Environment, read_environment
from keywright.project.files import write
from keywright.project.formatter import line_length
from keywright.project.settings import Settings, has_project
from keywright.record import Record, replace

from .measures import measures_in, without_targets
from .model_files import NewModels, new_models
from .server_names import ServerNames
from .sources import TEMPLATE, AdoptedTarget, from_address, from_files, included, schema_suffixes

LARGEST = 64 * 1024 * 1024
"""Most bytes of a schema file: some hundred times those of the largest states and models that were seen."""

_ADDRESS = re.compile(r"[A-Za-z][\w+.-]+:")


class AdoptOptions(Record):
    """What to adopt, and where to write."""

    settings: Settings
    """The project."""
    environment: str
    """The environment whose prefixes and settings the stores have."""
    sources: tuple[str, ...]
    """Addresses of stores; schema files, or folders of them."""
    folder: Path
    """Folder of the new model files."""
    notify: Callable[[str], None] = lambda text: None
    """Receives the name of each target when it has been read."""


def adopted_models(options: AdoptOptions) -> NewModels:
    """The model files that `adopt` would write.

    UsageError for a source of an unknown kind; Unavailable if a server does not answer; DeclarationErrors if the
    existing models do not compile.
    """
    environment = _environment(options)
    project = _existing(options.settings)
    targets: list[AdoptedTarget] = []
    missing: list[NotExpressed] = []
    names = ServerNames(project.design if project else Design())
    addresses, files = _divided(options.sources)
    contents = _with_included(files)
    measures = measures_in(contents)
    missing += measures.not_expressed
    contents = {path: text for path, text in contents.items() if path not in measures.files}
    for address in addresses:
        for target in from_address(address, environment, names, measures.rates):
            options.notify(f"{target.engine}/{target.name}")
            targets.append(target)
    if contents:
        schema = from_files(contents, environment, measures.rates)
        targets += schema.targets
        missing += schema.not_expressed
    missing += without_targets(measures, targets)
    width, roots = line_length(options.settings.root), options.settings.root_paths
    models = new_models(targets, project, options.folder, width, roots)
    missing_settings = {engine: part for engine, part in models.settings.items() if engine not in environment.engines}
    return replace(models, not_expressed=(*models.not_expressed, *missing), settings=missing_settings)


def _environment(options: AdoptOptions) -> Environment:
    """The environment; a plain one for a new project, which has no stack file yet."""
    if not has_project(options.settings.root):
        return Environment(options.environment)
    return read_environment(options.settings, options.environment)


def write_models(models: NewModels) -> None:
    """Write the files; none of them exists."""
    for path, text in models.files.items():
        write(path, text)


def _existing(settings: Settings) -> Project | None:
    """The project's models; None if it has none yet."""
    has_models = any(path.is_file() or any(path.rglob("*.py")) for path in settings.model_paths if path.exists())
    return load(settings) if has_models else None


def _divided(sources: Sequence[str]) -> tuple[list[str], list[Path]]:
    """(addresses, files): those of a folder in the order of their names."""
    addresses = [source for source in sources if _ADDRESS.match(source) and not Path(source).exists()]
    paths: list[Path] = []
    for source in sources:
        path = Path(source)
        if source in addresses:
            continue
        if path.is_dir():
            paths += schema_files(path)
        elif path.is_file():
            paths.append(path)
        else:
            raise UsageError(f'"{source}" is not a file, a folder or an address', "name what exists")
    return addresses, paths


def schema_files(folder: Path) -> list[Path]:
    """The schema files below a folder in the order of their names, in which v1.10 follows v1.9."""
    suffixes = schema_suffixes()
    return sorted((file for file in folder.rglob("*") if file.name.endswith(suffixes)), key=_natural)


def _natural(path: Path) -> list[tuple[int, str]]:
    """Numbers in a path by their value, and before words."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", str(path))]


def _with_included(paths: Sequence[Path]) -> dict[str, str]:
    """Contents by path, with the files that they include."""
    contents: dict[str, str] = {}
    unread = list(paths)
    while unread:
        path = unread.pop(0)
        if str(path) not in contents:
            contents[str(path)] = _text(path)
            for pattern in included(path.name, contents[str(path)]):
                unread += (Path(file) for file in sorted(glob(os.path.normpath(path.parent / pattern))))
    return contents


def _text(path: Path) -> str:
    try:
        size, most = path.stat().st_size, TEMPLATE if path.suffix in (".yaml", ".yml") else LARGEST
        if size > most:
            problem = f'"{path}" has {counted(size, "byte", spec=",")}, and a schema file of this kind at most {most:,}'
            raise UsageError(problem, "name the address of the store, or a file with its tables only")
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f'"{path}" cannot be read as text', "name a schema file in UTF-8") from error
