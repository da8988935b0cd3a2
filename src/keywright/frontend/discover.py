"""Finds model files and imports them under their dotted names, as the application does."""

import importlib
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from keywright.errors import DeclarationError, Place, report


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
            report(DeclarationError("E0102", f'there is no "{path.name}"', Place(str(path), 0), help))
        for file in _python_files(path):
            name = _dotted(file, roots)
            if name is None:
                help = "add its folder to `import-roots` under [tool.keywright] in pyproject.toml"
                report(DeclarationError("E0102", "the file is below no import root", Place(str(file), 0), help))
            elif name in found and found[name].path != file:
                _clash(name, file, found[name].path)
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
        if before is not None and _file_of(before) != file.path:
            _clash(file.module, file.path, _file_of(before))
            continue
        try:
            module = importlib.import_module(file.module)
        except (Exception, SystemExit) as error:  # noqa: BLE001  # a user's file may raise anything
            refusal = _refusal(error, file, roots)
            if refusal.at not in reported:
                reported.add(refusal.at)
                report(refusal)
            continue
        if _file_of(module) != file.path:
            _clash(file.module, file.path, _file_of(module))
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


def _dotted(file: Path, roots: Sequence[Path]) -> str | None:
    for root in roots:
        if file.is_relative_to(root.resolve()):
            parts = file.relative_to(root.resolve()).with_suffix("").parts
            return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
    return None


def _file_of(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file).resolve() if file else None


def _clash(name: str, file: Path, other: Path | None) -> None:
    problem = f'the module name "{name}" is taken by {other or "a module that is built in"}'
    help = "rename the file, or give it a package folder of its own below the import root"
    report(DeclarationError("E0103", problem, Place(str(file), 0), help))


def _refusal(error: BaseException, file: ModelFile, roots: Sequence[Path]) -> DeclarationError:
    """What to report of an import that failed: the last line in the project's own files that led to it."""
    if isinstance(error, DeclarationError):
        return error
    if isinstance(error, SyntaxError) and error.filename:
        return DeclarationError("E0101", f"{error.msg}", Place(error.filename, error.lineno or 0), "correct the syntax")
    place = _last_own_line(error, roots) or Place(str(file.path), 0)
    if isinstance(error, ImportError) and "circular import" in str(error):
        help = "move what both need into a third file, or refer to the other model by its quoted name"
        return DeclarationError("E0104", f"the file is part of an import cycle: {_sentence(error)}", place, help)
    problem = f"the file does not import: {type(error).__name__}: {_sentence(error)}"
    return DeclarationError("E0101", problem, place, _advice(error))


def _last_own_line(error: BaseException, roots: Sequence[Path]) -> Place | None:
    frames = traceback.extract_tb(error.__traceback__)
    tops = [f"{root.resolve()}/" for root in roots]
    own = [
        frame
        for frame in frames
        if any(frame.filename.startswith(top) for top in tops)
        and "/site-packages/" not in frame.filename
        and "/keywright/" not in frame.filename
    ]
    return Place(own[-1].filename, own[-1].lineno or 0) if own else None


def _sentence(error: BaseException) -> str:
    return " ".join(str(error).split("\n", 1)[0].split())[:300]


def _advice(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError):
        return f'install "{error.name}", or add its folder to `import-roots` under [tool.keywright] in pyproject.toml'
    if isinstance(error, SystemExit):
        return "a model file only declares: guard what it runs with `if __name__ == '__main__':`"
    return "a model file must import by itself, as `python -c 'import ...'` does"
