"""CAS035: an index is on a column that does not suit it: unique, of a few values, or changed all the time."""

import re
from collections.abc import Iterator, Sequence

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.access.selectivity import bounded
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.attribute import Many, Scalar
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted

from ..access.calls import Select
from ..access.relation import Indexed
from ..declare.options import CqlTable
from ..findings.changes import changing, overwritten, words
from ..findings.tables import entities
from ..schema.target import KeyspaceTarget

_UNIQUE = frozenset((
    "email", "mail", "phone", "telephone", "username", "iban", "vin", "isbn", "ean", "imei", "ssn", "serial", "barcode",
))  # fmt: skip
"""Last words of fields that identify something, if the number of their values is not declared."""

_DIGEST = re.compile(r"\^?\[[^]]*[a-fA-F][^]]*\]\{(?:32|40|48|56|64|96|128)\}\$?")
"""Patterns of hexadecimal digests."""

Uses = Sequence[tuple[Planned[KeyspaceTarget], Select]]
"""The reads that an index serves."""


def models(context: RuleContext, *, few: int = 5, unique_share: float = 0.5) -> Iterator[FindingDraft]:
    """Every such index, with the most harmful of its problems.

    few: number of values up to which a column has few. unique_share: share of different values among the rows from
    which a column is nearly unique.
    """
    for _, binding, layout in entities(context):
        # A pushed element adds an entry to an index, and leaves those of the other elements valid.
        changes = {**overwritten(context, binding, layout), **changing(context, binding, with_pushes=False)}
        for index in layout.indexes:
            field = index.part.cell.field
            uses = [
                (plan, call)
                for plan, _ in calls(context, binding, "get", "read", "count")
                if isinstance(plan.path, AccessPath) and isinstance(call := plan.path.call, Select)
                and any(match.index == index.name for match in call.matches)
            ]  # fmt: skip
            if problem := (
                _unique(binding, index, uses, unique_share)
                or _few_values(index, uses, few)
                or (
                    f'"{changes[field]}" changes it: each change leaves the old entry in the index of '
                    f'"{field}", which its queries read until it is compacted'
                    if field in changes
                    else ""
                )
            ):
                yield FindingDraft(
                    problem=problem,
                    help=f'remove the index, and keep the rows in a second CqlTable that is partitioned by "{field}"',
                    subject=binding.name,
                    field=field,
                )


def _unique(binding: Binding[CqlTable], index: Indexed, uses: Uses, share: float) -> str:
    """The problem of an old index on a nearly unique column that is queried without a partition."""
    pattern = next((plan.pattern for plan, call in uses if call.keys), None)
    if pattern is None or not has_unique_entries(binding, index, pattern, share):
        return ""
    return (
        f'the index of the old kind on "{index.part.cell.field}" has an entry for each row: "{pattern.name}" asks many '
        "nodes to find one row"
    )


def has_unique_entries(binding: Binding[CqlTable], index: Indexed, pattern: Pattern, share: float = 0.5) -> bool:
    """Whether an old index has about one entry for each row, by declared numbers, by its name or by a read of it."""
    if index.is_attached:
        return False
    distinct, expected, kind = _distinct(index), binding.spec.expected, index.part.cell.type
    is_id = isinstance(kind, Scalar) and kind.facts.reference is None and _is_identifier(kind)
    if distinct is None and (is_id or words(index.part.cell.field)[-1] in _UNIQUE):
        return True
    return bool(distinct and expected and distinct >= share * expected) or pattern.limit == 1 or pattern.kind == "get"


def _is_identifier(kind: Scalar) -> bool:
    """Whether values are unique by their type: a UUID, or a digest."""
    return kind.kind == "uuid" or (kind.kind == "string" and _DIGEST.fullmatch(kind.pattern or "") is not None)


def _few_values(index: Indexed, uses: Uses, few: int) -> str:
    """The problem of an index on a column of few values; one of the new kind narrows other conditions."""
    count = _distinct(index)
    if count is None or count > few:
        return ""
    if index.is_attached and not any(call.keys and len(call.matches) == 1 and not call.bounds for _, call in uses):
        return ""
    return (
        f'"{index.part.cell.field}" has {counted(count, "value")}: an entry of its index contains about '
        f"{100 / count:.0f} % of the table, and a query reads all nodes"
    )


def _distinct(index: Indexed) -> int | None:
    kind = index.part.cell.type
    scalar = kind.element if isinstance(kind, Many) else kind
    if not isinstance(scalar, Scalar):
        return None
    count = bounded(scalar) if scalar.facts.distinct is None else scalar.facts.distinct
    return 2 if scalar.kind == "boolean" else len(scalar.constants) or (None if count is None else int(count))
