"""Creates a project: writes a small working example, or adopts a folder of Pydantic models."""

import ast
import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from keywright.errors import UsageError
from keywright.ir.json import Json
from keywright.record import Record

from .files import quoted, write
from .settings import FILE

TEMPLATE = {
    "pyproject.toml": "pyproject.toml",
    ".gitignore": "gitignore",
    "models/__init__.py": "models/__init__.py",
    "models/library.py": "models/library.py",
    "stacks/Pulumi.dev.yaml": "stacks/Pulumi.dev.yaml",
}
"""Files of a new project, each with its name in the template."""

IGNORED = ".gitignore"
"""Name of git's ignore file; lines are added to an existing file."""

RESPONSE_SUFFIXES = ("Page", "Response")
"""Suffixes of the names of models that only contain other models in responses."""

BINDINGS = "stores.py"
"""The file in which an adopted project binds its models to stores."""


_PLAIN = re.compile(r"[A-Za-z][\w-]*")
_YAML_WORDS = ("false", "n", "no", "null", "off", "on", "true", "y", "yes")
"""Words that YAML does not read as text."""


class ExistingModel(Record):
    """A Pydantic model of an existing project."""

    name: str
    """Class name."""
    module: str
    """Dotted name of its module, relative to the adopted folder."""
    file: Path
    """Its file, relative to the adopted folder."""


class CreatedProject(Record):
    """The result of `keywright init`."""

    folder: Path
    """The project."""
    written: tuple[str, ...]
    """Files that were written."""
    adopted: tuple[ExistingModel, ...]
    """Existing models; empty for a new project."""


def start(folder: Path) -> CreatedProject:
    """Create a project in a folder; no existing file is overwritten.

    A folder without Python files gets the template. A folder with Pydantic models is adopted: its pyproject.toml gets a
    [tool.keywright] table, and a file of bindings stores each model in MongoDB, for the user to change.
    """
    settings = folder / FILE
    if settings.is_file() and "[tool.keywright" in settings.read_text(encoding="utf-8"):
        raise UsageError(f'"{folder}" is already a project', "run `keywright check` in it")
    existing_models, stored = _models(folder) if folder.is_dir() else ((), ())
    adopted = (*existing_models, *stored)
    adoption = _adoption(folder, existing_models, stored) if adopted else _new(folder)
    extended = (FILE, IGNORED) if adopted else (FILE,)  # lines are added to these
    existing = [name for name in adoption if name not in extended and (folder / name).exists()]
    if existing or (not adopted and settings.is_file()):
        names = ", ".join(existing or [FILE])
        raise UsageError(
            f'"{folder}" already contains {names}, and no Pydantic models', "name an empty folder, or remove the files"
        )
    for name, text in adoption.items():
        write(folder / name, text)
    return CreatedProject(folder, tuple(adoption), existing_models)


def start_without_models(folder: Path, settings: Mapping[str, Mapping[str, Json]]) -> tuple[str, ...]:
    """Create a project without models, for those that `keywright adopt` writes; returns the written files.

    An existing pyproject.toml gets a [tool.keywright] table; other existing files stay as they are. settings: settings
    of each engine in the stack file.
    """
    before = (folder / FILE).read_text(encoding="utf-8") if (folder / FILE).is_file() else ""
    new = {
        FILE: f'{before.rstrip()}\n\n[tool.keywright]\nmodels = ["models"]\n'.lstrip(),
        "models/__init__.py": "",
        "stacks/Pulumi.dev.yaml": "config:\n  keywright:environment:\n    mode: dev\n"
        + "".join(f"    {line}\n" for line in stack_lines(settings)),
        **_ignored(folder),
    }
    new = {name: text for name, text in new.items() if name in (FILE, IGNORED) or not (folder / name).exists()}
    for name, text in new.items():
        write(folder / name, text)
    return tuple(new)


def stack_lines(settings: Mapping[str, Mapping[str, Json]]) -> list[str]:
    """The lines of engines in a stack file, below `keywright:environment:`."""
    return [f"{engine}: {_flow(part)}" for engine, part in settings.items()]


def _flow(value: Json | Mapping[str, Json]) -> str:
    """A value in the flow style of YAML."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) and value.lower() not in _YAML_WORDS else quoted(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _new(folder: Path) -> dict[str, str]:
    template = files("keywright.template")
    texts = {name: template.joinpath(source).read_text(encoding="utf-8") for name, source in TEMPLATE.items()}
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", folder.resolve().name).strip("._-")
    texts[FILE] = texts[FILE].replace("{name}", name or "library")
    return texts


def _adoption(
    folder: Path, existing_models: tuple[ExistingModel, ...], stored: tuple[ExistingModel, ...]
) -> dict[str, str]:
    """The files of an adopted project.

    existing_models: models to bind; stored: models that declare their store.
    """
    roots = ["src"] if all(model.file.parts[0] == "src" for model in (*existing_models, *stored)) else ["."]
    paths = sorted({str(model.file) for model in (*existing_models, *stored)}) + ([BINDINGS] if existing_models else [])
    roots_and_here = list(dict.fromkeys((*roots, ".")))
    table = f"[tool.keywright]\nmodels = {_toml(paths)}\nimport-roots = {_toml(roots_and_here)}\n"
    before = (folder / FILE).read_text(encoding="utf-8") if (folder / FILE).is_file() else ""
    stack = files("keywright.template").joinpath("stacks/Pulumi.dev.yaml").read_text(encoding="utf-8")
    adopted_files = {
        FILE: f"{before.rstrip()}\n\n{table}".lstrip(),
        **({BINDINGS: _bindings(existing_models, roots[0])} if existing_models else {}),
        "stacks/Pulumi.dev.yaml": stack,
    }
    return adopted_files | _ignored(folder)


def _ignored(folder: Path) -> dict[str, str]:
    """A .gitignore with keywright's own files added to the existing lines; nothing if it contains all of them."""
    file = folder / IGNORED
    needed = files("keywright.template").joinpath(TEMPLATE[IGNORED]).read_text(encoding="utf-8").splitlines()
    before = file.read_text(encoding="utf-8") if file.is_file() else ""
    present = {line.strip().rstrip("/") for line in before.splitlines()}
    lines = [line for line in needed if line.strip().rstrip("/") not in present]
    if not lines:
        return {}
    text = before if before.endswith("\n") or not before else f"{before}\n"
    return {IGNORED: text + "".join(f"{line}\n" for line in lines)}


def _bindings(existing_models: tuple[ExistingModel, ...], root: str) -> str:
    lines = [
        '"""How the models are stored; created by `keywright init`, for you to change."""',
        "",
        "import keywright as kw",
    ]
    lines += [f"from {_module(model, root)} import {model.name}" for model in existing_models]
    lines += ["", 'app = kw.MongoDatabase("app")', ""]
    for model in existing_models:
        name = _plural(model.name)
        lines.append(f'{name} = kw.bind({model.name}, kw.Collection(app, "{name}"))')
    return "\n".join(lines) + "\n"


def _module(model: ExistingModel, root: str) -> str:
    return model.module.removeprefix("src.") if root == "src" else model.module


def _plural(name: str) -> str:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    if re.search("[^aeiou]y$", words):
        return f"{words[:-1]}ies"
    return words + ("es" if re.search("(s|x|z|ch|sh)$", words) else "s")


def _toml(values: list[str]) -> str:
    return "[" + ", ".join(quoted(value) for value in values) + "]"


class _Class(Record):
    """A class in the source of an existing project."""

    model: ExistingModel
    """Its name and place."""
    bases: frozenset[str]
    """Names of its bases."""
    parts: frozenset[str]
    """Names in the annotations of its fields."""
    is_stored: bool
    """Whether it declares its store."""


def _models(folder: Path) -> tuple[tuple[ExistingModel, ...], tuple[ExistingModel, ...]]:
    """Models to bind, and models that already declare a store; the files are parsed, not imported.

    A model that is part or base of another model is not bound, nor is a model that only contains others in a response.
    """
    classes: dict[str, _Class] = {}
    bound, responses = set[str](), set[str]()
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
                classes.setdefault(node.name, _class(node, ExistingModel(node.name, ".".join(module), inner)))
            elif isinstance(node, ast.Call):
                bound |= _named(node.args[:1]) if _base(node.func) == "bind" else set()
                responses |= _named(word.value for word in node.keywords if word.arg == "response_model")
    models, before = {"BaseModel"}, 0
    while len(models) > before:
        before = len(models)
        models |= {name for name, model in classes.items() if model.bases & models}
    stored = {name for name in models & classes.keys() if classes[name].is_stored or name in bound}
    for name in models & classes.keys():
        contained = classes[name].parts & models
        if contained & stored or (contained and name.endswith(RESPONSE_SUFFIXES)):
            responses.add(name)
    entities = {name: model for name, model in classes.items() if name in models and name not in responses - stored}
    used = frozenset[str]().union(*(entity.parts | entity.bases for entity in entities.values()))
    return (
        tuple(entity.model for name, entity in entities.items() if name not in used | stored),
        tuple(classes[name].model for name in classes if name in stored),
    )


def _class(node: ast.ClassDef, existing_model: ExistingModel) -> _Class:
    annotated = [line for line in node.body if isinstance(line, ast.AnnAssign)]
    targets: list[ast.expr] = [line.target for line in annotated]
    targets += [target for line in node.body if isinstance(line, ast.Assign) for target in line.targets]
    parts = (name.id for line in annotated for name in ast.walk(line.annotation) if isinstance(name, ast.Name))
    return _Class(existing_model, frozenset(map(_base, node.bases)), frozenset(parts), "__store__" in _named(targets))


def _named(nodes: Iterable[ast.expr]) -> set[str]:
    """The names in expressions."""
    return {name.id for node in nodes for name in ast.walk(node) if isinstance(name, ast.Name)}


def _is_searched(part: str) -> bool:
    """Whether a folder or file of this name is searched for models: the name must be valid for a module."""
    return part.isidentifier() and part not in ("tests", "build", "venv", "node_modules")


def _base(base: ast.expr) -> str:
    """Name of a base class, without its module and its type arguments."""
    if isinstance(base, ast.Subscript):
        return _base(base.value)
    return base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
