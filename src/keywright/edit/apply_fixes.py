"""Applies fixes to the text of a model file: binds each fix to a node of one syntax tree, then applies all together.

A fix that conflicts with another fix is left for the next round, which parses the file again.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from keywright.engines.findings.fix import AddFact, DropPart, Fix, FixEdit, FixLocation, Retype, SetArgument

from .changes import TextChange, apply_changes, conflicts
from .elements import insertion, removal_changes, segments
from .imports import resolve_names, with_import
from .layout import is_long, wrap_long_lines
from .nodes import DeclarationStatement, call_of, declaration_of, field_of, list_of, part_of, statement_at, statements
from .source import SourceFile, UnsupportedSyntax


def with_fixes(text: str, fixes: Sequence[tuple[FixLocation, Fix]], width: int = 88) -> tuple[str, frozenset[int]]:
    """The file's text with fixes, and the positions of the applied fixes.

    width: the longest line, in characters.
    """
    source, done, combined = SourceFile(text, width), set[int](), _EditPlan()
    for position, (location, fix) in enumerate(fixes):
        try:
            plan = _plan_fix(source, location, fix)
            for module, name in {**combined.imports, **plan.imports}:
                with_import(source, module, name)
        except (UnsupportedSyntax, SyntaxError, ValueError):
            continue
        if not combined.conflicts(plan):
            combined.add(plan)
            done.add(position)
    after = combined.apply(source)
    try:
        ast.parse(after.text)
    except SyntaxError:
        return text, frozenset()
    return after.text, frozenset(done)


@dataclass(slots=True)
class _EditPlan:
    """The edits of one or more fixes in a file."""

    changes: list[TextChange] = field(default_factory=list)
    """Text changes, without those of `removals`."""
    removals: dict[int, tuple[ast.List, set[int]]] = field(default_factory=dict)
    """Lists and the positions of the elements to remove, by offset of the opening bracket."""
    extended: set[int] = field(default_factory=set)
    """Lists that get another element, as offsets of their opening brackets."""
    removed_text: list[TextChange] = field(default_factory=list)
    """The removed elements as changes, to detect conflicts."""
    imports: dict[tuple[str, str], None] = field(default_factory=dict)
    """The (module, name) pairs to import."""
    statements: set[int] = field(default_factory=set)
    """Indexes of the statements that may need new line breaks."""

    def conflicts(self, other: "_EditPlan") -> bool:
        """Whether another plan cannot be applied together with this plan."""
        if self.extended & other.removals.keys() or self.removals.keys() & other.extended:
            return True
        return (
            conflicts(other.changes, [*self.changes, *self.removed_text]) or conflicts(other.removed_text, self.changes)
        )  # fmt: skip

    def add(self, other: "_EditPlan") -> None:
        """Add the edits of another plan."""
        self.changes += other.changes
        self.removed_text += other.removed_text
        self.extended |= other.extended
        self.imports |= other.imports
        self.statements |= other.statements
        for opening, (elements, positions) in other.removals.items():
            self.removals.setdefault(opening, (elements, set()))[1].update(positions)

    def apply(self, source: SourceFile) -> SourceFile:
        """The file with all edits."""
        changes = list(self.changes)
        for opening, (elements, positions) in self.removals.items():
            changes += removal_changes(source, opening, elements.elts, positions, source.end(elements))
        before = statements(source)
        after = apply_changes(source, changes)
        for position in sorted(self.statements):
            if not is_long(source, before[position]):
                after = wrap_long_lines(after, statements(after)[position])
        for module, name in self.imports:
            after = with_import(after, module, name)
        return after


def _plan_fix(source: SourceFile, location: FixLocation, fix: Fix) -> _EditPlan:
    """Plan the edits of a fix; UnsupportedSyntax for code that cannot be edited safely."""
    plan = _EditPlan()
    for edit in fix.edits:
        step = _plan_edit(source, location, edit)
        if plan.conflicts(step):
            raise UnsupportedSyntax("the edits of the fix overlap")
        plan.add(step)
    return plan


def _plan_edit(source: SourceFile, location: FixLocation, edit: FixEdit) -> _EditPlan:
    if isinstance(edit, DropPart):
        return _plan_removal(source, location)
    code, imports = resolve_names(source, edit.after if isinstance(edit, Retype) else edit.source)
    plan = _EditPlan(imports=dict.fromkeys(imports))
    if isinstance(edit, Retype):
        statement: DeclarationStatement = field_of(source, location)
        plan.changes.append(_replace_type(source, field_of(source, location), edit.before, code))
    elif isinstance(edit, AddFact):
        statement = field_of(source, location)
        change = _add_fact(source, statement, code)
        if change.text.startswith("Annotated["):
            plan.imports |= dict.fromkeys(resolve_names(source, "Annotated")[1])
        plan.changes.append(change)
    else:
        call = call_of(source, location)
        statement = statement_at(source, call.lineno)
        node = next((keyword.value for keyword in call.keywords if keyword.arg == edit.argument), None)
        if isinstance(edit, SetArgument):
            plan.changes.append(_set_argument(source, call, node, edit.argument, code))
        elif node is None:
            plan.changes.append(_set_argument(source, call, None, edit.argument, f"[{code}]"))
        else:
            plan.changes.append(_add_element(source, node, code))
            plan.extended.add(source.start(node))
    plan.statements.add(statements(source).index(statement))
    return plan


def _set_argument(source: SourceFile, call: ast.Call, node: ast.expr | None, argument: str, code: str) -> TextChange:
    items: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    topic = (source.start(call), argument if items else "")  # a second first argument would lack its comma
    if node is not None:
        return TextChange(source.start(node), source.end(node), code, topic)
    offset, text = insertion(source, items, source.end(call), f"{argument}={code}")
    return TextChange(offset, offset, text, topic)


def _add_element(source: SourceFile, node: ast.expr, code: str) -> TextChange:
    if not isinstance(node, ast.List):
        raise UnsupportedSyntax("the argument is not a list")
    offset, text = insertion(source, node.elts, source.end(node), code)
    # In an empty list, a second first element would lack its comma.
    return TextChange(offset, offset, text, None if node.elts else (source.start(node), "element"))


def _plan_removal(source: SourceFile, location: FixLocation) -> _EditPlan:
    if location.part is None:
        raise UnsupportedSyntax("the location names no part")
    argument, position = location.part
    call = declaration_of(source, location)
    if not isinstance(part_of(call, argument, position), ast.Call):
        raise UnsupportedSyntax("the part is a variable, which may be used elsewhere")
    elements = list_of(call, argument)
    opening = source.start(elements)
    cuts, _ = segments(source, opening, elements.elts, source.end(elements))
    return _EditPlan(
        removals={opening: (elements, {position})},
        removed_text=[TextChange(cuts[position], cuts[position + 1], "")],
    )


def _add_fact(source: SourceFile, field: ast.AnnAssign, code: str) -> TextChange:
    node = field.annotation
    if isinstance(node, ast.Subscript) and source.of(node.value).rpartition(".")[2] == "Annotated":
        elements = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        offset, text = insertion(source, elements, source.end(node), code)
        return TextChange(offset, offset, text)
    return TextChange(source.start(node), source.end(node), f"Annotated[{source.of(node)}, {code}]")


def _replace_type(source: SourceFile, field: ast.AnnAssign, before: str, after: str) -> TextChange:
    if field.value is not None and not isinstance(field.value, ast.Call):
        raise UnsupportedSyntax("the field has a default of the former type")
    names = [node for node in ast.walk(field.annotation) if isinstance(node, ast.Name) and node.id == before]
    if len(names) != 1:
        raise UnsupportedSyntax("the annotation does not contain the type exactly once")
    return TextChange(source.start(names[0]), source.end(names[0]), after)
