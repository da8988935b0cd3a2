"""MDB026: a unique index is partial, although its fields identify every document.

https://www.mongodb.com/docs/manual/core/index-partial/ (2026-11-23)
"""

from collections.abc import Iterator, Sequence

from keywright.access.selectivity import values_of
from keywright.declare.names import ordered
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import reads, single
from keywright.engines.mongodb.declare.filters import simple_tests
from keywright.engines.mongodb.declare.indexes import Index
from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.engines.mongodb.findings.uniqueness import is_free_again, is_issued
from keywright.engines.mongodb.schema.lower_index import lowered
from keywright.errors import quoted
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve

_OF_DELETION = ("delet", "remov", "archiv", "eras", "retire", "active")
"""Parts of names of fields that mark deleted documents, whose values may be used again."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every such index by whose fields a `Get` finds one document, whatever its state or until an update changes it.

    A reference may be unique in some documents, such as one open incident for each rule; so may the value of a
    document that is marked as deleted. A number that is issued to each document is unique in all.
    """
    patterns = reads(context.design)
    for binding in context.bindings("mongodb"):
        for index in binding.spec.indexes:
            if not isinstance(index, Index) or not index.unique or is_free_again(binding, index):
                continue
            keys, others = ordered(index.keys), _conditions_beyond_keys(index)
            getters = [pattern for pattern in patterns[binding.name] if pattern.kind == "get"]
            getter = next(
                (
                    pattern.name
                    for pattern in getters
                    if {*pattern.eq} == {*keys}
                    and (
                        not pattern.where
                        or _is_left(context, binding, index)
                        or _is_distinct(binding, keys)
                        or is_issued(binding, keys)
                    )
                ),
                None,
            )
            own = [name for name in keys if _is_own(binding, name)]
            if others and getter and own and not any(part in field for field in others for part in _OF_DELETION):
                yield FindingDraft(
                    problem=f'"{getter}" finds one document by {quoted(keys)}, but the index is unique only where '
                    f"{quoted(others)} meets a condition: other documents may repeat {quoted(own)}",
                    help="remove where= from the unique index; reads of some documents need no partial index for this",
                    subject=binding.name,
                    part=lowered(binding, index).name,
                )


def _conditions_beyond_keys(index: Index) -> list[str]:
    """Fields of an index's condition, without those that only require its own key to be present."""
    keys = ordered(index.keys)
    return [
        condition.field
        for filter in index.filters()
        for condition in simple_tests(filter)
        if condition.field not in keys or condition.test != "present"
    ]


def _is_left(context: RuleContext, binding: Binding[AnyCollection], index: Index) -> bool:
    """Whether an update of documents that meet an index's condition sets its field, so that they may not meet it."""
    values = {condition.field: {*condition.values} for condition in simple_tests(index.where)}
    return any(
        condition.field in pattern.sets and {*condition.values} <= values.get(condition.field, set())
        for pattern in single(context.design)
        if pattern.binding == binding.name
        for condition in pattern.where
    )


def _is_distinct(binding: Binding[AnyCollection], keys: Sequence[str]) -> bool:
    """Whether a field is declared to have as many values as there are documents."""
    count = binding.spec.expected
    values = [values_of(binding.entity.attributes, name) for name in keys]
    return count is not None and any(value is not None and value >= count for value in values)


def _is_own(binding: Binding[AnyCollection], name: str) -> bool:
    """Whether a field is a value of the entity itself that every document has, and no reference."""
    attributes = resolve(binding.entity.attributes, name)
    if not attributes or any(attribute.is_nullable for attribute in attributes):
        return False
    kind = attributes[-1].type
    is_identifier = isinstance(kind, Scalar) and kind.kind in ("string", "uuid", "integer") and not kind.constants
    return is_identifier and isinstance(kind, Scalar) and kind.facts.reference is None
