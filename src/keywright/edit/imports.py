"""Adds the imports of an edit in the order of an import sorter."""

import ast
import re
import sys

from .source import SourceFile, UnsupportedSyntax

MODULES = {
    "Annotated": "typing", "Literal": "typing", "Decimal": "decimal", "date": "datetime", "datetime": "datetime",
    "UTC": "datetime", "timedelta": "datetime", "Field": "pydantic",
}  # fmt: skip
"""Modules of the names that fixes use, besides `kw`."""

_VOCABULARY = re.compile(r"\bkw\.(\w+)")


def resolve_names(source: SourceFile, code: str) -> tuple[str, list[tuple[str, str]]]:
    """(code, imports): a fix with this file's names, and the (module, name) pairs that the file does not import.

    code: uses `kw` for the vocabulary, and the names of `MODULES`.
    """
    tree = source.tree
    imported = {alias.asname or alias.name for node in tree.body for alias in _aliases(node)}
    missing = [
        (MODULES[node.id], node.id)
        for node in ast.walk(ast.parse(code, mode="eval"))
        if isinstance(node, ast.Name) and node.id in MODULES and node.id not in imported
    ]
    if (names := _VOCABULARY.findall(code)) and (alias := _vocabulary(tree)) is not None:
        code = _VOCABULARY.sub(rf"{alias}.\1", code)
    elif names:
        code = _VOCABULARY.sub(r"\1", code)
        missing += (("keywright", name) for name in names if name not in imported)
    return code, list(dict.fromkeys(missing))


def with_import(source: SourceFile, module: str, name: str) -> SourceFile:
    """The file with `from module import name`."""
    imports = [node for node in source.tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    existing = next((node for node in imports if isinstance(node, ast.ImportFrom) and node.module == module), None)
    if existing is not None and not existing.level:
        return _extend_import(source, existing, name)
    if not imports:
        raise UnsupportedSyntax("the file has no import at module level")
    statement, following = f"from {module} import {name}", _next_import(imports, module)
    if following is not None:
        offset = source.start(following)
        return source.replaced(offset, offset, f"{statement}\n")
    last = max((node for node in imports if _section(node) <= _rank(module)), key=source.start, default=None)
    if last is None:  # all imports belong to later sections
        offset = source.start(imports[0])
        return source.replaced(offset, offset, f"{statement}\n\n")
    offset, blank = source.end(last), "" if _section(last) == _rank(module) else "\n"
    return source.replaced(offset, offset, f"\n{blank}{statement}")


def _extend_import(source: SourceFile, existing: ast.ImportFrom, name: str) -> SourceFile:
    """Add a name to an existing import."""
    texts = {alias.name: f"{alias.name} as {alias.asname}" if alias.asname else alias.name for alias in existing.names}
    names = [text for _, text in sorted([*texts.items(), (name, name)], key=lambda entry: _order(entry[0]))]
    statement = source.of(existing)
    if "#" in statement:
        raise UnsupportedSyntax("the import contains a comment")
    line = f"from {existing.module} import {', '.join(names)}"
    if len(line) > source.width or statement.rstrip(") \n").endswith(","):
        line = f"from {existing.module} import (\n" + "".join(f"    {text},\n" for text in names) + ")"
    return source.replaced(source.start(existing), source.end(existing), line)


def _next_import(imports: list[ast.Import | ast.ImportFrom], module: str) -> ast.ImportFrom | None:
    """Import of the same section before which a new import is inserted."""
    section = (node for node in imports if isinstance(node, ast.ImportFrom) and _section(node) == _rank(module))
    return next((node for node in section if (node.module or "") > module and not node.level), None)


def _section(node: ast.Import | ast.ImportFrom) -> int:
    if isinstance(node, ast.ImportFrom):
        return 3 if node.level else _rank(node.module or "")
    return _rank(node.names[0].name)


def _rank(module: str) -> int:
    """Section of a module: `__future__`, the standard library, others."""
    top = module.partition(".")[0]
    return 0 if top == "__future__" else 1 if top in sys.stdlib_module_names else 2


def _order(name: str) -> tuple[int, str]:
    """Sort key of a name: CONSTANTS, Classes, functions."""
    return (0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2, name)


def _aliases(node: ast.stmt) -> list[ast.alias]:
    return node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else []


def _vocabulary(tree: ast.Module) -> str | None:
    """The file's name for the `keywright` module; None if it imports only names from it."""
    imports = (alias for node in tree.body if isinstance(node, ast.Import) for alias in node.names)
    return next((alias.asname or alias.name for alias in imports if alias.name == "keywright"), None)
