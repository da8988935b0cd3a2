"""Finds model files and imports them under their dotted names, as the application does."""

import importlib
import keyword
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from keywright.errors import DeclarationError, Place, report

from .failure import refusal_of


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file of models and the name under which it is imported."""

    path: Path
    """The file."""
    module: str
    """Its dotted name from an import root."""


def model_files(models: Sequence[Path], roots: Sequence[Path]) -> tuple[ModelFile, ...]:
    """The model files below the given folders and files, sorted by folder and name; problems are reported.

    models: folders or single files; roots: folders from which dotted names are counted, the first that fits wins.
    """
    found: dict[str, ModelFile] = {}
    for path in models:
        if not path.exists():
            help = "create it, or correct `models` under [tool.keywright] in pyproject.toml"
            report(DeclarationError("E0102", f'there is no file or folder "{path.name}"', Place(str(path), 0), help))
        for file in _python_files(path):
            names = _names(file, roots)
            name = ".".join(names)
            if not names:
                help = "add its folder to `import-roots` under [tool.keywright] in pyproject.toml"
                report(DeclarationError("E0108", "the file is below no import root", Place(str(file), 0), help))
            elif not file.is_file():
                help = "put the file there, or remove the link"
                report(DeclarationError("E0106", "the file is a link that leads nowhere", Place(str(file), 0), help))
            elif part := next((part for part in names if not _is_name(part)), None):
                help = f'call it "{_as_name(part)}": small letters, digits and underscores'
                report(DeclarationError("E0112", f'"{part}" is no name for a module', Place(str(file), 0), help))
            elif name in found and found[name].path != file:
                _clash(name, file, found[name].path, roots)
            else:
                found[name] = ModelFile(file, name)
    return tuple(found.values())


def import_models(files: Sequence[ModelFile], roots: Sequence[Path]) -> tuple[ModuleType, ...]:
    """The modules of all files that can be imported; the others are reported, each at its own line."""
    sys.path[:0] = [str(root) for root in roots if str(root) not in sys.path]
    importlib.invalidate_caches()
    modules, reported = list[ModuleType](), set[Place]()
    for file in files:
        before = sys.modules.get(file.module)
        if before is not None and _file_of(before) != file.path.resolve():
            _clash(file.module, file.path, _file_of(before), roots)
            continue
        try:
            module = importlib.import_module(file.module)
        except (Exception, SystemExit) as error:  # noqa: BLE001  # a user's file may raise anything
            if isinstance(error, ModuleNotFoundError) and error.name == file.module and "." in file.module:
                package = file.module.rpartition(".")[0]
                _clash(package, file.path, _file_of(sys.modules[package]) if package in sys.modules else None, roots)
                continue
            refusal = refusal_of(error, file.path, roots)
            if refusal.at not in reported:
                reported.add(refusal.at)
                report(refusal)
            continue
        if _file_of(module) != file.path.resolve():
            _clash(file.module, file.path, _file_of(module), roots)
            continue
        modules.append(module)
    return tuple(modules)


def _python_files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path.resolve()
    elif path.is_dir():
        for file in sorted(path.resolve().rglob("*.py")):
            inner = file.relative_to(path.resolve()).parts
            if not any(part.startswith(".") or part == "__pycache__" for part in inner):
                yield file


def _names(file: Path, roots: Sequence[Path]) -> tuple[str, ...]:
    """The names of the packages and of the module that a file is; none below no root."""
    for root in roots:
        if file.is_relative_to(root.resolve()):
            parts = file.relative_to(root.resolve()).with_suffix("").parts
            return parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts
    return ()


def _is_name(part: str) -> bool:
    return part.isidentifier() and not keyword.iskeyword(part)


def _as_name(part: str) -> str:
    word = "".join(letter if letter.isalnum() else "_" for letter in part.lower())
    return word if _is_name(word) else f"model_{word}"


def _file_of(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file).resolve() if file else None


def _clash(name: str, file: Path, other: Path | None, roots: Sequence[Path]) -> None:
    taker = "a module that is built in"
    if other is not None:
        below = next((other.relative_to(root) for root in roots if other.is_relative_to(root)), other)
        taker = f'"{below}"'
    problem = f'the module name "{name}" is taken by {taker}'
    help = "rename it, or put it into a package of its own, with an __init__.py, below the import root"
    report(DeclarationError("E0103", problem, Place(str(file), 0), help))
