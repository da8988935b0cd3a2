"""Finds model files and imports them under their dotted names, like the application."""

import importlib
import keyword
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

from keywright.errors import DeclarationError, Place, report
from keywright.record import Record

from .import_failure import import_error_of
from .import_limits import importing


class ModelFile(Record):
    """A file of models and the name under which it is imported."""

    path: Path
    """The file."""
    module: str
    """Its dotted name from an import root."""


def model_files(models: Sequence[Path], roots: Sequence[Path]) -> tuple[ModelFile, ...]:
    """The model files below the given folders and files, sorted by folder and name; problems are reported.

    models: folders or single files; roots: folders from which dotted names start, the first match counts.
    """
    model_files_by_name: dict[str, ModelFile] = {}
    for path in models:
        if not path.exists():
            help = "create it, or correct `models` under [tool.keywright] in pyproject.toml"
            problem = f'file or folder "{path.name}" does not exist'
            report(DeclarationError("E0102", problem, Place(str(path), 0), help))
        for file in _python_files(path):
            names = _names(file, roots)
            name = ".".join(names)
            if not names:
                help = "add its folder to `import-roots` under [tool.keywright] in pyproject.toml"
                report(DeclarationError("E0108", "the file is not below an import root", Place(str(file), 0), help))
            elif not file.is_file():
                help = "create the target of the link, or remove the link"
                report(DeclarationError("E0106", "the file is a broken symbolic link", Place(str(file), 0), help))
            elif part := next((part for part in names if not _is_name(part)), None):
                help = f'rename it to "{_as_name(part)}": lower-case letters, digits and underscores'
                report(DeclarationError("E0112", f'"{part}" is not a valid module name', Place(str(file), 0), help))
            elif name in model_files_by_name and model_files_by_name[name].path != file:
                _clash(name, file, model_files_by_name[name].path, roots)
            else:
                model_files_by_name[name] = ModelFile(file, name)
    return tuple(model_files_by_name.values())


def import_models(files: Sequence[ModelFile], roots: Sequence[Path], seconds: float = 60) -> tuple[ModuleType, ...]:
    """The modules of all files that can be imported; the errors of the other files are reported, each at its line.

    seconds: time limit of an import inside `import_limits.bounded`.
    """
    sys.path[:0] = [str(root) for root in roots if str(root) not in sys.path]
    importlib.invalidate_caches()
    modules, reported = list[ModuleType](), set[Place]()
    for file in files:
        before = sys.modules.get(file.module)
        if before is not None and _file_of(before) != file.path.resolve():
            _clash(file.module, file.path, _file_of(before), roots)
            continue
        try:
            with importing(str(file.path), seconds):
                module = importlib.import_module(file.module)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  # a user's file may raise anything
            if isinstance(error, ModuleNotFoundError) and error.name == file.module and "." in file.module:
                package = file.module.rpartition(".")[0]
                _clash(package, file.path, _file_of(sys.modules[package]) if package in sys.modules else None, roots)
                continue
            import_error = import_error_of(error, file.path, roots)
            if import_error.at not in reported:
                reported.add(import_error.at)
                report(import_error)
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
    """Names of the file's packages and module; empty if the file is below no root."""
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


def _clash(name: str, file: Path, user: Path | None, roots: Sequence[Path]) -> None:
    user_name = "a built-in module"
    if user is not None:
        below = next((user.relative_to(root) for root in roots if user.is_relative_to(root)), user)
        user_name = f'"{below}"'
    problem = f'the module name "{name}" is already used by {user_name}'
    help = "rename the file, or move it into a package (a folder with an __init__.py) below the import root"
    report(DeclarationError("E0103", problem, Place(str(file), 0), help))
