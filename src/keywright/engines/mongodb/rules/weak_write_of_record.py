"""MDB025: a record is confirmed before a majority of the replica set has stored it.

https://www.mongodb.com/docs/manual/reference/write-concern/ (2026-11-23)
"""

from collections.abc import Iterator
from typing import Any

from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.expiry import expiring_fields
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.ir.attribute import Scalar
from keywright.ir.entity import resolve

_USAGE = ("datetime", "integer", "float", "json")
"""Kinds of values that record the use of a document."""
_WRITES = ("put", "update", "increment", "delete")


def models(context: RuleContext, *, kinds: tuple[str, ...] = ("record",)) -> Iterator[FindingDraft]:
    """Every such put, delete or change with `consistency="eventual"`, and every transaction of such writes.

    Other updates and increments, such as of a time of last use or a number of views, may be lost.
    kinds: kinds of entities whose confirmed writes must not be lost; GEN010 reports money and stock.
    """
    for plan in context.plans:
        parts = [part for part in plan.parts or (plan,) if part.pattern.kind in _WRITES]
        if plan.binding.engine != "mongodb" or not parts:
            continue
        records = [part.binding.name for part in parts if part.binding.spec.kind in kinds and _decides(part)]
        if records and all(part.pattern.consistency == "eventual" for part in parts):
            yield FindingDraft(
                problem=f"its write of {records[0]} is confirmed when one member has it, by consistency="
                '"eventual", and a failover rolls it back',
                help='remove consistency="eventual", so that a majority has it; or declare a kind= whose data may be '
                f'lost for {records[0]}, such as "event"',
                subject=plan.pattern.name,
                at=plan.pattern.at,
                fix=None if plan.parts else Fix((SetArgument("consistency", '"strong"'),)),
            )


def _decides(part: Planned[Any]) -> bool:
    """Whether a write stores or removes a document, or sets more than a time or a number.

    A document that expires and is put again, such as a draft, is no record.
    """
    if part.pattern.kind == "put" and not part.pattern.if_absent and expiring_fields(part.binding, with_partial=False):
        return False
    resolved = (resolve(part.binding.entity.attributes, path) for path in part.pattern.sets)
    kinds = [attributes[-1].type for attributes in resolved if attributes]
    return part.pattern.kind in ("put", "delete") or any(
        not isinstance(kind, Scalar) or kind.constants or kind.kind not in _USAGE for kind in kinds
    )
