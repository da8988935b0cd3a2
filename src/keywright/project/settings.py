"""The `[tool.keywright]` table of pyproject.toml."""

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from keywright.errors import DeclarationError, Place, UsageError, did_you_mean
from keywright.pages.catalogue import DOCUMENTATION
from keywright.record import Record, field

FILE = "pyproject.toml"


class Settings(Record):
    """Paths and limits of a project."""

    root: Path
    """Its folder, absolute."""
    models: tuple[str, ...] = ("models",)
    """Folders and files of models."""
    migrations: str = "migrations"
    """Folder of migrations."""
    build: str = "build"
    """Folder of artefacts."""
    environments: str = "stacks"
    """Folder of stack files."""
    default_environment: str = "dev"
    """Environment of commands that name none."""
    import_roots: tuple[str, ...] = (".",)
    """Folders from which models are imported."""
    state_folder: str = ".keywright"
    """Folder of caches, local servers and logs; a separate one for separate servers."""
    import_timeout_seconds: float = 60
    """Time limit for the import of one model file."""
    lease_seconds: float = 60
    """Time without a heartbeat after which a migration loses its lock; all processes that migrate a store use the same
    value."""
    documentation: str = DOCUMENTATION
    """Address of the published pages of codes, to which findings link."""
    rules: Mapping[str, object] = field(default_factory=dict)
    """The table [tool.keywright.rules]."""

    @property
    def model_paths(self) -> tuple[Path, ...]:
        """Absolute paths of the model folders and files."""
        return tuple(self.root / path for path in self.models)

    @property
    def root_paths(self) -> tuple[Path, ...]:
        """Absolute paths of the import roots."""
        return tuple((self.root / path).resolve() for path in self.import_roots)

    @property
    def state(self) -> Path:
        """Absolute path of the folder of caches, local servers and the crash log."""
        return self.root / self.state_folder


_TEXTS = {
    "migrations": "migrations", "build": "build", "environments": "environments",
    "default-environment": "default_environment",
}  # fmt: skip
_LISTS = {"models": "models", "import-roots": "import_roots"}
_NUMBERS = {"import-timeout": "import_timeout_seconds", "lease-seconds": "lease_seconds"}
_TABLES = {"rules": "rules"}
_ADDRESSES = {"documentation": "documentation"}

_ADDRESS = re.compile(r"https?://[\w.~:/?#@!$&'*+,;=%-]+")
"""An address that may stand in a Markdown link as it is."""


def find_root(start: Path) -> Path:
    """The nearest folder, from `start` upwards, whose pyproject.toml has a [tool.keywright] table."""
    path = _root_above(start)
    if path is not None:
        return path
    help = "run `keywright init` to create a project, or name its folder with --project DIR or KEYWRIGHT_PROJECT"
    raise UsageError(f'no project found: no {FILE} with a [tool.keywright] table in "{start}" or above', help)


def _root_above(start: Path) -> Path | None:
    for folder in (start, *start.parents):
        file = folder / FILE
        if file.is_file() and b"[tool.keywright" in file.read_bytes():
            return folder
    return None


def settings_of(module: ModuleType) -> Settings:
    """The settings of the project that contains a module of models.

    Without a pyproject.toml above the module, as in an installed wheel, the module's folder contains the models, and
    its folder `stacks` contains the stack files. Raises UsageError for a module without a file.
    """
    if not module.__file__:
        raise UsageError(
            f'the module "{module.__name__}" has no file', "pass a module of models, or the project's folder"
        )
    file = Path(module.__file__).resolve()
    root = _root_above(file.parent)
    if root is not None:
        return read_settings(root)
    names = module.__name__.split(".")
    is_package = file.name == "__init__.py"
    folder, packages = file.parent, names if is_package else names[:-1]
    root = folder.parents[len(packages) - 1] if packages else folder
    models = "/".join(packages) or file.name
    return Settings(root, models=(models,), environments="/".join((*packages, "stacks")))


def has_project(project: str | os.PathLike[str] | None = None) -> bool:
    """Whether `read_settings` finds a project."""
    path = project or os.environ.get("KEYWRIGHT_PROJECT")
    return (Path(path) / FILE).is_file() if path else _root_above(Path.cwd()) is not None


def read_settings(project: str | os.PathLike[str] | None = None) -> Settings:
    """The settings of a project.

    project: its folder; by default KEYWRIGHT_PROJECT, else the nearest project at or above the working directory.
    """
    path = project or os.environ.get("KEYWRIGHT_PROJECT")
    root = Path(path).resolve() if path else find_root(Path.cwd())
    file = root / FILE
    if not root.is_dir() or (not file.is_file() and path):
        raise UsageError(f'"{root}" is not a project: it has no {FILE}', "name its folder, or run `keywright init`")
    text, table = _read(file)
    values: dict[str, object] = {}
    for key, value in table.items():
        at = Place(str(file), _line(text, key))
        if key in _TEXTS:
            values[_TEXTS[key]] = _text(key, value, at)
        elif key in _LISTS:
            values[_LISTS[key]] = _list(key, value, at)
        elif key in _NUMBERS:
            values[_NUMBERS[key]] = _number(key, value, at)
        elif key in _ADDRESSES:
            values[_ADDRESSES[key]] = _address(key, value, at)
        elif key in _TABLES:
            values[_TABLES[key]] = _table(key, value, at)
        else:
            help = did_you_mean(key, (*_TEXTS, *_LISTS, *_NUMBERS, *_ADDRESSES, *_TABLES))
            raise DeclarationError("E0401", f'[tool.keywright] has no setting "{key}"', at, help)
    return Settings(root, **values)  # type: ignore[arg-type]


def _read(file: Path) -> tuple[str, dict[str, object]]:
    """The file's text and its [tool.keywright] table."""
    try:
        text = file.read_text(encoding="utf-8")
        table = tomllib.loads(text).get("tool", {}).get("keywright", {})
    except tomllib.TOMLDecodeError as error:
        sentence = str(error).partition(" (at")[0]
        problem = f"the file is not valid TOML: {sentence[0].lower()}{sentence[1:]}"
        place = Place(str(file), _toml_line(error))
        raise DeclarationError("E0403", problem, place, "correct the quotes, brackets or names") from None
    except UnicodeDecodeError:
        problem = "the file is not text in UTF-8"
        raise DeclarationError("E0403", problem, Place(str(file), 0), "save it as UTF-8") from None
    if not isinstance(table, dict):
        problem = '"tool.keywright" is a value, it takes a table'
        raise DeclarationError("E0402", problem, Place(str(file), _line(text, "keywright")), "write [tool.keywright]")
    return text, table


def _text(key: str, value: object, at: Place) -> str:
    if not isinstance(value, str) or not value:
        raise DeclarationError("E0402", f'"{key}" is {value!r}, it takes text', at, f'such as {key} = "name"')
    return value


def _address(key: str, value: object, at: Place) -> str:
    if not isinstance(value, str) or not _ADDRESS.fullmatch(value):
        help = f'such as {key} = "{DOCUMENTATION}"'
        raise DeclarationError("E0402", f'"{key}" is {value!r}, it takes an http or https address', at, help)
    return value


def _list(key: str, value: object, at: Place) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(path, str) and path for path in value):
        raise DeclarationError("E0402", f'"{key}" is {value!r}, it takes a list of text', at, f'such as {key} = ["."]')
    return tuple(value)


def _number(key: str, value: object, at: Place) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
        raise DeclarationError("E0402", f'"{key}" is {value!r}, it takes seconds', at, f"such as {key} = 60")
    return value


def _table(key: str, value: object, at: Place) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise DeclarationError("E0402", f'"{key}" is {value!r}, it takes a table', at, f"write [tool.keywright.{key}]")
    return value


def _line(text: str, key: str) -> int:
    """Line of a key of the table, searched in the text because `tomllib` reports no lines."""
    lines = text.splitlines()
    start = next((at for at, line in enumerate(lines) if line.strip() == "[tool.keywright]"), 0)
    return next((at + 1 for at, line in enumerate(lines) if at >= start and line.strip().startswith(key)), start + 1)


def _toml_line(error: tomllib.TOMLDecodeError) -> int:
    words = str(error).replace(",", " ").split()
    return int(words[words.index("line") + 1]) if "line" in words else 0
