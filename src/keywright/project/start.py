"""Begins a project: writes a small working one, or adopts a folder of Pydantic models."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from keywright.errors import UsageError

from .files import write
from .settings import FILE

TEMPLATE = {
    "pyproject.toml": "pyproject.toml",
    ".gitignore": "gitignore",
    "models/__init__.py": "models/__init__.py",
    "models/library.py": "models/library.py",
    "stacks/Pulumi.dev.yaml": "stacks/Pulumi.dev.yaml",
}
"""Files of a new project, each with the template's own name for it."""

BINDINGS = "stores.py"
"""The file in which an adopted project says how its models are stored."""


@dataclass(frozen=True, slots=True)
class Found:
    """A Pydantic model of an existing project."""

    name: str
    """Class name."""
    module: str
    """Dotted name of its module, from the folder that is adopted."""
    file: Path
    """Where it stands, relative to that folder."""


@dataclass(frozen=True, slots=True)
class Started:
    """What was begun."""

    folder: Path
    """The project."""
    written: tuple[str, ...]
    """Files that were written."""
    adopted: tuple[Found, ...]
    """Models that were there before; empty for a new project."""


def start(folder: Path) -> Started:
    """Begin a project in a folder; no file that is there is overwritten.

    A folder without Python files gets the template, one with Pydantic models is adopted: its pyproject.toml gets a
    [tool.keywright] table, and a file of bindings stores each model in MongoDB, to be changed at will.
    """
    settings = folder / FILE
    if settings.is_file() and "[tool.keywright" in settings.read_text(encoding="utf-8"):
        raise UsageError(f'"{folder}" is a project already', "run `keywright check` in it")
    found = tuple(_models(folder)) if folder.is_dir() else ()
    made = _adoption(folder, found) if found else _new(folder)
    taken = [name for name in made if name != FILE and (folder / name).exists()]
    if taken or (not found and settings.is_file()):
        names = ", ".join(taken or [FILE])
        raise UsageError(
            f'"{folder}" has {names} already, and no Pydantic models', "name an empty folder, or remove it"
        )
    for name, text in made.items():
        write(folder / name, text)
    return Started(folder, tuple(made), found)


def _new(folder: Path) -> dict[str, str]:
    template = files("keywright.template")
    texts = {name: template.joinpath(source).read_text(encoding="utf-8") for name, source in TEMPLATE.items()}
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", folder.resolve().name).strip("._-")
    texts[FILE] = texts[FILE].replace("{name}", name or "library")
    return texts


def _adoption(folder: Path, found: tuple[Found, ...]) -> dict[str, str]:
    roots = ["src"] if all(model.file.parts[0] == "src" for model in found) else ["."]
    homes = sorted({str(model.file) for model in found})
    roots_and_here = list(dict.fromkeys((*roots, ".")))
    table = f"[tool.keywright]\nmodels = {_toml([*homes, BINDINGS])}\nimport-roots = {_toml(roots_and_here)}\n"
    before = (folder / FILE).read_text(encoding="utf-8") if (folder / FILE).is_file() else ""
    stack = files("keywright.template").joinpath("stacks/Pulumi.dev.yaml").read_text(encoding="utf-8")
    return {
        FILE: f"{before.rstrip()}\n\n{table}".lstrip(),
        BINDINGS: _bindings(found, roots[0]),
        "stacks/Pulumi.dev.yaml": stack,
    }


def _bindings(found: tuple[Found, ...], root: str) -> str:
    lines = [
        '"""How the models are stored; made by `keywright init`, now yours to change."""',
        "",
        "import keywright as kw",
    ]
    lines += [f"from {_module(model, root)} import {model.name}" for model in found]
    lines += ["", 'app = kw.MongoDatabase("app")', ""]
    for model in found:
        name = _plural(model.name)
        lines.append(f'{name} = kw.bind({model.name}, kw.Collection(app, "{name}"))')
    return "\n".join(lines) + "\n"


def _module(model: Found, root: str) -> str:
    return model.module.removeprefix("src.") if root == "src" else model.module


def _plural(name: str) -> str:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    if re.search("[^aeiou]y$", words):
        return f"{words[:-1]}ies"
    return words + ("es" if re.search("(s|x|z|ch|sh)$", words) else "s")


def _toml(values: list[str]) -> str:
    return "[" + ", ".join(f'"{value}"' for value in values) + "]"


def _models(folder: Path) -> Iterator[Found]:
    """Models that are neither part nor base of another one, by reading the files: nothing is imported."""
    classes: dict[str, tuple[Found, set[str]]] = {}
    parts: set[str] = set()
    for file in sorted(folder.rglob("*.py")):
        inner = file.relative_to(folder)
        module = inner.parent.parts if file.name == "__init__.py" else inner.with_suffix("").parts
        if not module or not all(_is_searched(part) for part in module):
            continue
        try:
            tree = ast.parse(file.read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, (Found(node.name, ".".join(module), inner), set(map(_base, node.bases))))
                parts |= {name.id for line in node.body if isinstance(line, ast.AnnAssign)
                          for name in ast.walk(line.annotation) if isinstance(name, ast.Name)}  # fmt: skip
    models, before = {"BaseModel"}, 0
    while len(models) > before:
        before = len(models)
        models |= {name for name, (_, bases) in classes.items() if bases & models}
    used = parts.union(*(bases for name, (_, bases) in classes.items() if name in models))
    yield from (model for name, (model, _) in classes.items() if name in models - used)


def _is_searched(part: str) -> bool:
    """Whether models are looked for below a folder, or in a file, of this name: it must be one for a module."""
    return part.isidentifier() and part not in ("tests", "build", "venv", "node_modules")


def _base(base: ast.expr) -> str:
    """Name of a base class, without its module and its type arguments."""
    if isinstance(base, ast.Subscript):
        return _base(base.value)
    return base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
