"""Columns and rows that patterns change after they were written."""

import re
from collections.abc import Iterator, Mapping

from keywright.engines.findings.context import RuleContext
from keywright.engines.findings.pattern_facts import changed, expected
from keywright.engines.findings.rates import calls
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding

from ..access.growth import creates_rows
from ..access.layout import Layout
from ..declare.options import CqlTable

_STATES = frozenset(("state", "status", "stage", "phase"))
"""Last words in the names of fields whose constants follow each other, unlike those of a type."""

DAY = 86_400
"""Seconds in a day."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|[a-z]+|\d+")


def changing(context: RuleContext, binding: Binding[CqlTable], *, with_pushes: bool = True) -> Mapping[str, str]:
    """The name of a pattern by the field that it changes in existing rows.

    Rows that expire are changed by a second put of the whole row: then a field with the constants of a state changes.
    with_pushes: whether a new element changes its collection.
    """
    patterns = {
        path.partition(".")[0]: plan.pattern.name
        for plan, _ in calls(context, binding, "update", "increment")
        for path in changed(plan.pattern)
        if with_pushes or path != plan.pattern.pushes
    }
    puts = [plan.pattern for plan, _ in calls(context, binding, "put") if not plan.pattern.if_absent]
    if len(puts) > 1:
        last = max(puts, key=lambda pattern: pattern.load.per_second or 0)
        patterns.update(dict.fromkeys(_states(binding), last.name))
    return patterns


def overwritten(context: RuleContext, binding: Binding[CqlTable], layout: Layout) -> Mapping[str, str]:
    """The name of a put by the field that it changes, if each row is put again more than once a day.

    Numbers, times, truth values and states change; a reference or a name is likely to be written again as it was.
    """
    row_count = expected(binding)
    if row_count is None or creates_rows(layout, binding.spec.kind):
        return {}
    keys = {part.cell.field for part in layout.keys}
    for plan, rate in calls(context, binding, "put"):
        if not plan.pattern.if_absent and (rate or 0) * max(1, plan.pattern.batch) * DAY > row_count:
            fields = (attribute for attribute in binding.entity.attributes if attribute.name not in keys)
            return {attribute.name: plan.pattern.name for attribute in fields if is_value(attribute)}
    return {}


def is_value(attribute: Attribute) -> bool:
    """Whether a field holds a number, a time, a truth value or a state, which change, unlike a name or a reference."""
    kind = attribute.type
    is_figure = isinstance(kind, Scalar) and kind.kind in ("integer", "float", "decimal", "boolean", "date", "datetime")
    return is_figure or is_state(attribute)


def is_state(attribute: Attribute) -> bool:
    """Whether a field has the constants of a state, which follow each other."""
    kind = attribute.type
    return isinstance(kind, Scalar) and len(kind.constants) > 1 and words(attribute.name)[-1] in _STATES


def _states(binding: Binding[CqlTable]) -> Iterator[str]:
    return (attribute.name for attribute in binding.entity.attributes if is_state(attribute))


def own_id(binding: Binding[CqlTable], layout: Layout) -> tuple[str, bool] | None:
    """(the field that identifies an entity, whether it is part of the key); None if there is none."""
    keys = {part.cell.field for part in layout.keys}
    keys |= {placeholder.path for part in layout.keys if part.template for placeholder in part.template.placeholders}
    entity_words = [*map(_singular, words(binding.entity.name))]
    ids = [attribute.name for attribute in binding.entity.attributes if _is_id(attribute, entity_words)]
    return next(((name, name in keys) for name in sorted(ids, key=lambda name: name not in keys)), None)


def _is_id(attribute: Attribute, entity_words: list[str]) -> bool:
    kind, (*stem, last) = attribute.type, words(attribute.name)
    if not isinstance(kind, Scalar) or kind.kind not in ("string", "uuid", "integer") or kind.facts.reference:
        return False
    if kind.kind == "uuid" and not stem and _singular(last) == entity_words[-1]:
        return attribute.copied_from is None
    is_of_entity = not stem or _singular(stem[-1]) in entity_words
    return last in ("id", "uuid") and attribute.copied_from is None and is_of_entity


def _singular(word: str) -> str:
    """The same text for a word and its regular plural: tables are often named in the plural."""
    return word.removesuffix("s")


def words(name: str) -> list[str]:
    """The words of a name in lower case."""
    return [word.lower() for word in _WORDS.findall(name)] or [name]
