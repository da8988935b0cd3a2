"""Finds the syntax tree nodes of a fix location: a declaration's call, an element of its list, a field."""

import ast

from keywright.engines.findings.fix import FixLocation

from .source import SourceFile, UnsupportedSyntax

DeclarationStatement = ast.Assign | ast.AnnAssign | ast.Expr
"""Kinds of statement that can contain a declaration."""


def statement_at(source: SourceFile, line: int) -> DeclarationStatement:
    """Innermost assignment or expression around a line; UnsupportedSyntax if several begin there."""
    nodes = [node for node in statements(source) if node.lineno <= line <= (node.end_lineno or 0)]
    last = max((node.lineno for node in nodes), default=0)
    innermost = [node for node in nodes if node.lineno == last]
    if len(innermost) != 1:
        raise UnsupportedSyntax("several statements, or none, are on the line")
    return innermost[0]


def statements(source: SourceFile) -> list[DeclarationStatement]:
    """Every statement that may be a declaration; fixes keep their order."""
    nodes = (node for node in ast.walk(source.tree) if isinstance(node, DeclarationStatement))
    return sorted(nodes, key=lambda node: (node.lineno, node.col_offset))


def call_of(source: SourceFile, location: FixLocation) -> ast.Call:
    """Call of the declaration, or of the part that the location names."""
    call = declaration_of(source, location)
    if location.part is None:
        return call
    part: ast.expr | None = part_of(call, *location.part)
    if isinstance(part, ast.Name):
        part = _assigned_value(source, part.id)
    if not isinstance(part, ast.Call):
        raise UnsupportedSyntax("the element is not a call")
    return part


def declaration_of(source: SourceFile, location: FixLocation) -> ast.Call:
    """Call of the declaration."""
    value = statement_at(source, location.declaration.line).value
    if isinstance(value, ast.Call) and called_name(value) == "bind" and len(value.args) > 1:
        value = value.args[1]
    if not isinstance(value, ast.Call) or (
        location.class_name and _original_name(source, called_name(value)) != location.class_name
    ):
        raise UnsupportedSyntax("the declaration is not a call")
    return value


def part_of(call: ast.Call, argument: str, position: int) -> ast.expr:
    """Element of a list argument."""
    elements = list_of(call, argument).elts
    if position >= len(elements) or any(isinstance(element, ast.Starred) for element in elements):
        raise UnsupportedSyntax("the list does not contain the element")
    return elements[position]


def list_of(call: ast.Call, argument: str) -> ast.List:
    """List argument; the first argument for an empty name."""
    values = [keyword.value for keyword in call.keywords if keyword.arg == argument] if argument else call.args[:1]
    if not values or not isinstance(values[0], ast.List):
        raise UnsupportedSyntax("the argument is not a list")
    return values[0]


def field_of(source: SourceFile, location: FixLocation) -> ast.AnnAssign:
    """Statement of a field."""
    models = [node for node in ast.walk(source.tree) if isinstance(node, ast.ClassDef) and node.name == location.model]
    for model in models if len(models) == 1 else ():
        for node in model.body:
            if (
                isinstance(node, ast.AnnAssign)
                and isinstance(node.target, ast.Name)
                and node.target.id == location.field
                and not isinstance(node.annotation, ast.Constant)
            ):
                return node
    raise UnsupportedSyntax("the class does not declare the field")


def called_name(call: ast.Call) -> str:
    """Last name of the called expression; empty if it is not a name."""
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def _original_name(source: SourceFile, name: str) -> str:
    """Name of a class without the alias of the file's imports."""
    imports = (alias for node in source.tree.body if isinstance(node, ast.ImportFrom) for alias in node.names)
    return next((alias.name for alias in imports if alias.asname == name), name)


def _assigned_value(source: SourceFile, name: str) -> ast.expr | None:
    """Value of a module variable; None unless the file assigns it exactly once."""
    nodes = [
        node.value
        for node in source.tree.body
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
    ]
    return nodes[0] if len(nodes) == 1 else None
