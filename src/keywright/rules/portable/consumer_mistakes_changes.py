"""GEN027: a consumer identifies changes by fields that different changes share."""

import re
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, Literal

from keywright.declare.names import names
from keywright.declare.stream import ConsumerGroup
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import expected, identity
from keywright.engines.findings.rates import calls, items_per_second
from keywright.engines.findings.streams import StoreStream, streams
from keywright.errors import quoted
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted

_DAYS = 30
"""Days of a month, in which a date takes as many values."""
_MONTH = _DAYS * 86_400
_TIMES = ("datetime", "date", "time", "duration", "boolean")
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CHANGE = re.compile(r"(?:^|_)(?:event|request|change|message|operation|command|transaction|idempotency|version)_")
"""Words in names of a change's id."""
_NUMBER = re.compile(r"(?:^|_)(?:revision|version|sequence)$")
"""Names of fields that number the changes of an item."""
_ID = re.compile(r"(?:^|_)(?:id|uuid|ulid|key)$")


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every consumer of a stream, and every group of a log, whose identifying fields are not unique."""
    for store in streams(context.design):
        for consumer in store.stream.consumers:
            fields = names(consumer.idempotency)
            for binding in store.bindings if fields else ():
                if problem := _in_store(context, fields, binding):
                    yield _finding(consumer.name, problem, store.subject, store.engine)
                    break
            else:
                if fields and not any(set(fields) & identity(binding) for binding in store.bindings):
                    yield from _foreign(consumer.name, fields, store)
    for binding in context.design.bindings:
        groups: Sequence[ConsumerGroup] = getattr(binding.spec, "groups", ())
        for group in groups:
            rate = items_per_second(context, binding, "put")
            fields = names(group.idempotency)
            problem = _repetition(fields, binding, int(rate * _MONTH) if rate else None, is_log=True)
            if problem:
                yield _finding(group.name, problem, binding.name, binding.engine)


def _in_store(context: RuleContext, fields: list[str], binding: Binding[Any]) -> str:
    """`_repetition`, and the reason against the mere key of an item that updates change and that counts its changes."""
    if not set(fields) & identity(binding):
        return _repetition(fields, binding, expected(binding))
    is_counted = any(_NUMBER.search(field.name) for field in binding.entity.attributes)
    if not is_counted or set(fields) - identity(binding) or not any(calls(context, binding, "update", "increment")):
        return ""
    return f"by {quoted(fields)}, which all changes of one item share"


def _foreign(consumer: str, fields: list[str], store: StoreStream) -> Iterator[FindingDraft]:
    """A consumer of one entity whose only field names another thing, by its name."""
    name = _WORDS.sub("_", store.bindings[0].entity.name).lower() if len(store.bindings) == 1 else ""
    if name and len(fields) == 1 and _ID.search(fields[0]) and not _CHANGE.search(fields[0]):
        owner = fields[0].rpartition("_")[0]
        if owner and owner not in name:
            problem = f'by "{fields[0]}", which several items of {store.subject} may have'
            yield _finding(consumer, problem, store.subject, store.engine, "warning")


def _repetition(fields: list[str], binding: Binding[Any], items: int | None, *, is_log: bool = False) -> str:
    """The reason why different changes have equal values of the fields; empty if they may be unique."""
    attributes = [binding.entity.attribute(field) for field in fields]
    kinds = [attribute.type for attribute in attributes if attribute and isinstance(attribute.type, Scalar)]
    if not kinds or len(kinds) < len(fields):
        return ""
    listed = quoted(fields)
    if all(kind.constants or kind.kind in _TIMES for kind in kinds) or (len(kinds) == 1 and _is_shared(kinds[0])):
        return f"by {listed}, which many changes share"
    days = _DAYS if is_log else 0
    counts = [len(kind.constants) or kind.facts.distinct or (days if kind.kind == "date" else 0) for kind in kinds]
    distinct = [count for count in counts if count]
    if items is not None and len(distinct) == len(kinds) and prod(distinct) < items:
        values = counted(prod(distinct), "value exists", "values exist", spec=",")
        return f"by {listed}, of which {values} for {counted(items, 'change', spec=',')}"
    unique = next((other.name for other in binding.entity.attributes if _is_identifier(other, fields)), None)
    if is_log and unique and all(kind.constants or kind.facts.distinct or kind.facts.reference for kind in kinds):
        return f'by {listed} instead of "{unique}", although entries may refer to the same {fields[0]}'
    return ""


def _is_shared(kind: Scalar) -> bool:
    """Whether several items have the same value: a time, a flag, or a reference."""
    reference = kind.facts.reference
    return kind.kind in _TIMES or (reference is not None and reference.max_referrers != 1)


def _is_identifier(attribute: Attribute, fields: list[str]) -> bool:
    """Whether an attribute outside of the fields identifies an entry: an identifier that refers to nothing declared."""
    kind = attribute.type
    if attribute.name in fields or not isinstance(kind, Scalar) or not _ID.search(attribute.name):
        return False
    return kind.kind in ("string", "uuid") and not kind.facts.distinct and kind.facts.reference is None


def _finding(
    consumer: str, problem: str, subject: str, engine: str, severity: Literal["warning"] | None = None
) -> FindingDraft:
    return FindingDraft(
        problem=f'consumer "{consumer}" recognizes a repeated change {problem}: it skips different changes, or '
        "processes one twice",
        help="set idempotency= to the fields that identify a change, such as its own identifier, or key and version",
        subject=subject,
        engine=engine,
        severity=severity,
    )
