"""The seam between the engines and the rest: no code outside the folders of an engine names one."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import keywright
from keywright.engines.registry import NAMES

ROOT = Path(keywright.__file__).parent

NAMES_ENGINE = re.compile(r"dynamo|mongo|cassandra|redis|boto|valkey|\bbson|\bcql\b", re.IGNORECASE)
"""Engines, their clients and their languages."""

PUBLIC = {
    "__init__.py": "the public names of `kw`, each imported on first use",
    "engines/registry.py": "the table of the engines of this package",
    "pulumi.py": "`Tables` is a public name of programs",
    "runtime/__init__.py": "the keywords of `open`, which are public",
    "template/models/library.py": "the models that `keywright init` writes",
    "cli/help.py": "the first line of `keywright --help`",
}
"""Files that may name engines, with the reasons."""

EXAMPLES = {
    "api/stack/item_backfill.py": "such as mongodb/content",
    "api/stack/item_identity.py": "such as mongodb/content",
    "cli/commands/compile.py": "Also write the DynamoDB tables as a Pulumi YAML program.",
    "cli/commands/migrate/new.py": "such as mongodb/content",
    "cli/commands/pulumi/init.py": "`keywright compile --pulumi-yaml` writes the DynamoDB tables",
    "frontend/unused_declarations.py": "assign a store: kw.Item(table, ...), kw.Collection(...), kw.CqlTable(...)",
    "project/additions.py": '# or, these alone: Tables("dynamodb")',
    "project/environments/environment.py": "add history: mongodb/<database>, or another store",
    "project/start.py": 'app = kw.MongoDatabase("app")',
}
"""Help lines and files for users, with the text that names an engine as an example."""


def _docstrings(tree: ast.AST) -> set[int]:
    return {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def _words(tree: ast.AST) -> Iterator[str]:
    """Every name and text in code, without comments and docstrings."""
    docstrings = _docstrings(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in docstrings:
                yield text
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.arg(arg=word) | ast.keyword(arg=str(word)):
                yield word
            case ast.alias(name=word) | ast.FunctionDef(name=word) | ast.ClassDef(name=word):
                yield word
            case ast.ImportFrom(module=str(module)):
                yield module
            case _:
                pass


def _is_of_engine(path: Path) -> bool:
    return any(part in NAMES for part in path.with_suffix("").parts)


def _files() -> list[str]:
    files = (file.relative_to(ROOT) for file in ROOT.rglob("*.py"))
    return sorted(file.as_posix() for file in files if not _is_of_engine(file))


def _naming(file: str) -> list[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return [word for word in _words(tree) if NAMES_ENGINE.search(word)]


@pytest.mark.parametrize("layer", sorted({file.partition("/")[0] for file in _files()}))
def test_no_code_outside_the_folders_of_an_engine_names_one(layer: str) -> None:
    naming = {
        file: words
        for file in _files()
        if file.partition("/")[0] == layer and file not in PUBLIC
        if (words := [word for word in _naming(file) if EXAMPLES.get(file, word + "?") not in word])
    }
    assert naming == {}, "take it from the engine: a field of its record, or a module that the registry names"


@pytest.mark.parametrize("file", [*PUBLIC, *EXAMPLES])
def test_a_file_that_may_name_an_engine_does(file: str) -> None:
    assert [word for word in _naming(file) if EXAMPLES.get(file, "") in word]
