"""A fix carried out on the text of a model file."""

import ast
from collections.abc import Sequence

from keywright.engines.flaws.fix import AddFact, DropPart, Edit, Fix, Retype, SetArgument, Spot

from .imports import with_import, worded
from .layout import fitted, is_long
from .source import NotPlain, Source


def healed(text: str, fixes: Sequence[tuple[Spot, Fix]], width: int = 88) -> tuple[str, frozenset[int]]:
    """The file's text with fixes, and the positions of those that are in it: the others meet text that is not plain.

    width: characters that a line may have.
    """
    source, done, imports = Source(text, width), set[int](), list[tuple[str, str]]()
    from_below = sorted(enumerate(fixes), key=lambda one: _line(one[1][0]), reverse=True)  # so that lines above stay
    for position, (spot, fix) in from_below:
        try:
            fixed, lacking = source, list[tuple[str, str]]()
            for edit in fix.edits:
                fixed, more = _carried_out(fixed, spot, edit)
                lacking += more
            for module, name in (*imports, *lacking):
                with_import(fixed, module, name)
        except (NotPlain, SyntaxError, ValueError):
            continue
        source, imports = fixed, [*imports, *lacking]
        done.add(position)
    for module, name in dict.fromkeys(imports):
        source = with_import(source, module, name)
    return source.text, frozenset(done)


def _line(spot: Spot) -> int:
    return spot.field_at.line or spot.declaration.line


def _carried_out(source: Source, spot: Spot, edit: Edit) -> tuple[Source, list[tuple[str, str]]]:
    """The file with one edit, and the imports that it lacks then."""
    if isinstance(edit, DropPart):
        return _without(source, spot), []
    if isinstance(edit, Retype):
        code, imports = worded(source, edit.after)
        return _laid_out(source, _retyped(source, _field(source, spot), edit.before, code), spot.field_at.line), imports
    code, imports = worded(source, edit.source)
    if isinstance(edit, AddFact):
        changed = _with_fact(source, _field(source, spot), code)
        if "Annotated" in changed.text and "Annotated" not in source.text:
            imports.append(("typing", "Annotated"))
        return _laid_out(source, changed, spot.field_at.line), imports
    call = _call(source, spot)
    given = next((one.value for one in call.keywords if one.arg == edit.argument), None)
    if isinstance(edit, SetArgument):
        changed = _set(source, call, given, edit.argument, code)
    else:
        changed = _added(source, call, given, edit.argument, code)
    return _laid_out(source, changed, call.lineno), imports


def _laid_out(before: Source, changed: Source, line: int) -> Source:
    """The changed file, with lines that have become too long laid out anew."""
    if is_long(before, _statement(before, line)):
        return changed
    return fitted(changed, _statement(changed, line))


def _statement(source: Source, line: int) -> ast.Assign | ast.AnnAssign | ast.Expr:
    """The innermost statement around a line that assigns, or stands alone."""
    found = [
        node
        for node in ast.walk(source.tree)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Expr)) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    if not found:
        raise NotPlain("no statement is there")
    return max(found, key=lambda node: node.lineno)


def _call(source: Source, spot: Spot) -> ast.Call:
    """The call that makes what is meant."""
    value = _statement(source, spot.declaration.line).value
    if isinstance(value, ast.Call) and _called(value) == "bind" and len(value.args) > 1:
        value = value.args[1]
    if not isinstance(value, ast.Call):
        raise NotPlain("it is not made by a call")
    return value if spot.part is None else _part(source, value, *spot.part)


def _part(source: Source, call: ast.Call, argument: str, position: int) -> ast.Call:
    found = _list(call, argument)
    part: ast.expr | None = found.elts[position] if position < len(found.elts) else None
    if isinstance(part, ast.Name):
        part = _assigned(source, part.id)
    if not isinstance(part, ast.Call) or any(isinstance(one, ast.Starred) for one in found.elts):
        raise NotPlain("it is not made where it is listed")
    return part


def _assigned(source: Source, name: str) -> ast.expr | None:
    """What a variable of the file holds; None where that is not said once."""
    found = [
        node.value
        for node in source.tree.body
        if isinstance(node, ast.Assign) and any(isinstance(one, ast.Name) and one.id == name for one in node.targets)
    ]
    return found[0] if len(found) == 1 else None


def _list(call: ast.Call, argument: str) -> ast.List:
    values = [one.value for one in call.keywords if one.arg == argument] if argument else call.args[:1]
    if not values or not isinstance(values[0], ast.List):
        raise NotPlain("they are not listed there")
    return values[0]


def _called(call: ast.Call) -> str:
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def _set(source: Source, call: ast.Call, given: ast.expr | None, argument: str, code: str) -> Source:
    if given is not None:
        return source.replaced(source.start(given), source.end(given), code)
    return _appended(source, [*call.args, *call.keywords], source.end(call), f"{argument}={code}")


def _added(source: Source, call: ast.Call, given: ast.expr | None, argument: str, code: str) -> Source:
    if given is None:
        return _set(source, call, None, argument, f"[{code}]")
    if not isinstance(given, ast.List):
        raise NotPlain("it is not a list")
    return _appended(source, list(given.elts), source.end(given), code)


def _appended(source: Source, items: list[ast.expr | ast.keyword], end: int, code: str) -> Source:
    """A further element before a closing bracket; on a line of its own where the others have one each.

    end: the place behind the bracket.
    """
    if not items:
        return source.replaced(end - 1, end - 1, code)
    last = max(items, key=source.start)
    at = source.end(last)
    behind = source.text[at : end - 1]
    if behind.lstrip().startswith(","):
        at = source.text.index(",", at) + 1
        line = source.line_at(source.start(last))
        blanks = line[: len(line) - len(line.lstrip())]
        return source.replaced(at, at, f"\n{blanks}{code}," if "\n" in behind else f" {code},")
    return source.replaced(at, at, f", {code}")


def _without(source: Source, spot: Spot) -> Source:
    if spot.part is None:
        raise NotPlain("no part is meant")
    call = _call(source, Spot(spot.declaration))
    made = _part(source, call, *spot.part)
    found, position = _list(call, spot.part[0]).elts, spot.part[1]
    if made is not found[position]:
        raise NotPlain("a variable that holds it may be used elsewhere")
    if position + 1 < len(found):
        return source.replaced(source.start(found[position]), source.start(found[position + 1]), "")
    before = source.end(found[position - 1]) if position else source.start(found[position])
    return source.replaced(before, source.end(found[position]), "")


def _field(source: Source, spot: Spot) -> ast.AnnAssign:
    """The statement of a field."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ClassDef) and node.name == spot.model:
            for statement in node.body:
                if (
                    isinstance(statement, ast.AnnAssign)
                    and isinstance(statement.target, ast.Name)
                    and statement.target.id == spot.field
                    and not isinstance(statement.annotation, ast.Constant)
                ):
                    return statement
    raise NotPlain("the field is not declared there")


def _with_fact(source: Source, field: ast.AnnAssign, code: str) -> Source:
    said = field.annotation
    if isinstance(said, ast.Subscript) and source.of(said.value).rpartition(".")[2] == "Annotated":
        elements = said.slice.elts if isinstance(said.slice, ast.Tuple) else [said.slice]
        return _appended(source, list(elements), source.end(said), code)
    return source.replaced(source.start(said), source.end(said), f"Annotated[{source.of(said)}, {code}]")


def _retyped(source: Source, field: ast.AnnAssign, before: str, after: str) -> Source:
    if field.value is not None and not isinstance(field.value, ast.Call):
        raise NotPlain("it has a default of the former type")
    names = [node for node in ast.walk(field.annotation) if isinstance(node, ast.Name) and node.id == before]
    if len(names) != 1:
        raise NotPlain("the type is not written there once")
    return source.replaced(source.start(names[0]), source.end(names[0]), after)
