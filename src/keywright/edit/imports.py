"""Imports that an edit needs, added where a sorter of imports would have them."""

import ast
import re
import sys

from .source import NotPlain, Source

MODULES = {
    "Annotated": "typing", "Literal": "typing", "Decimal": "decimal", "date": "datetime", "datetime": "datetime",
    "timedelta": "datetime", "Field": "pydantic",
}  # fmt: skip
"""Where the names come from that fixes are written with, beside `kw`."""

_VOCABULARY = re.compile(r"\bkw\.(\w+)")


def worded(source: Source, code: str) -> tuple[str, list[tuple[str, str]]]:
    """(code, imports): Python source of a fix as this file would write it, and the (module, name) that it lacks.

    code: written with `kw` for the vocabulary, and with the names of `MODULES`.
    """
    tree = source.tree
    known = {alias.asname or alias.name for node in tree.body for alias in _aliases(node)}
    wanted = [
        (MODULES[node.id], node.id)
        for node in ast.walk(ast.parse(code, mode="eval"))
        if isinstance(node, ast.Name) and node.id in MODULES and node.id not in known
    ]
    if (names := _VOCABULARY.findall(code)) and (alias := _vocabulary(tree)) is not None:
        code = _VOCABULARY.sub(rf"{alias}.\1", code)
    elif names:
        code = _VOCABULARY.sub(r"\1", code)
        wanted += (("keywright", name) for name in names if name not in known)
    return code, list(dict.fromkeys(wanted))


def with_import(source: Source, module: str, name: str) -> Source:
    """The file with `from module import name`."""
    tops = [node for node in source.tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    there = next((node for node in tops if isinstance(node, ast.ImportFrom) and node.module == module), None)
    if there is not None and not there.level:
        return _joined(source, there, name)
    if not tops:
        raise NotPlain("it imports nothing at its top")
    statement, place = f"from {module} import {name}", _place(tops, module)
    if place is not None:
        at = source.start(place)
        return source.replaced(at, at, f"{statement}\n")
    last = max((node for node in tops if _section(node) <= _rank(module)), key=source.start, default=None)
    if last is None:  # the only section is a later one
        at = source.start(tops[0])
        return source.replaced(at, at, f"{statement}\n\n")
    at, blank = source.end(last), "" if _section(last) == _rank(module) else "\n"
    return source.replaced(at, at, f"\n{blank}{statement}")


def _joined(source: Source, there: ast.ImportFrom, name: str) -> Source:
    """A further name in an import that is there."""
    texts = {alias.name: f"{alias.name} as {alias.asname}" if alias.asname else alias.name for alias in there.names}
    names = [text for _, text in sorted([*texts.items(), (name, name)], key=lambda one: _order(one[0]))]
    written = source.of(there)
    if "#" in written:
        raise NotPlain("a comment stands in an import")
    line = f"from {there.module} import {', '.join(names)}"
    if len(line) > source.width or written.rstrip(") \n").endswith(","):
        line = f"from {there.module} import (\n" + "".join(f"    {one},\n" for one in names) + ")"
    return source.replaced(source.start(there), source.end(there), line)


def _place(tops: list[ast.Import | ast.ImportFrom], module: str) -> ast.ImportFrom | None:
    """The import that a new one has to stand before, in its section."""
    section = (node for node in tops if isinstance(node, ast.ImportFrom) and _section(node) == _rank(module))
    return next((node for node in section if (node.module or "") > module and not node.level), None)


def _section(node: ast.Import | ast.ImportFrom) -> int:
    if isinstance(node, ast.ImportFrom):
        return 3 if node.level else _rank(node.module or "")
    return _rank(node.names[0].name)


def _rank(module: str) -> int:
    """Section of a module: the future, the standard library, others."""
    top = module.partition(".")[0]
    return 0 if top == "__future__" else 1 if top in sys.stdlib_module_names else 2


def _order(name: str) -> tuple[int, str]:
    """CONSTANTS, Classes, functions."""
    return (0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2, name)


def _aliases(node: ast.stmt) -> list[ast.alias]:
    return node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else []


def _vocabulary(tree: ast.Module) -> str | None:
    """What the file calls the vocabulary; None where it imports its words alone."""
    imports = (alias for node in tree.body if isinstance(node, ast.Import) for alias in node.names)
    return next((alias.asname or alias.name for alias in imports if alias.name == "keywright"), None)
