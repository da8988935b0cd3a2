"""MDB031: a shard key rises with each insert, so that one shard takes all inserts.

https://www.mongodb.com/docs/manual/core/sharding-choose-a-shard-key/ (2026-11-23)
"""

from collections.abc import Iterator

from keywright.declare.names import ordered
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import identity
from keywright.engines.findings.rates import items_per_second
from keywright.engines.mongodb.declare.indexes import Index
from keywright.engines.mongodb.declare.options import Collection
from keywright.engines.mongodb.findings.sharding import sharded
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.template import Placeholder
from keywright.ir.text import counted

_ULID = "HJKMNP-TV-Z]{26}"
"""Part of every pattern of a ULID, which begins with the time."""

_DATE = "[0-9]{4}-"
"""Part of the pattern of a text that begins with a date."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every ranged shard key that begins with a time, a ULID, an ObjectId or a number of the document."""
    for binding, names, is_hashed in sharded(context):
        purpose = "" if is_hashed else _rising(binding, names[0])
        if purpose:
            rate = items_per_second(context, binding, "put")
            load = f"{counted(rate, 'insert', spec=',.0f')} a second" if rate and rate >= 1 else "inserts"
            yield FindingDraft(
                problem=f'shard key begins with "{names[0]}", {purpose}: all {load} go to the shard with the last '
                "chunk while the others are idle",
                help="set hashed=True, or let the key begin with a field whose values do not rise, such as the source",
                subject=binding.name,
            )


def _rising(binding: Binding[Collection], name: str) -> str:
    """The reason why a field rises; empty if it is not known to."""
    template = binding.computed.get(name)
    first = template.parts[0] if template and template.parts else None
    attributes = resolve(binding.entity.attributes, first.path if isinstance(first, Placeholder) else name)
    kind = attributes[-1].type if attributes else None
    if not isinstance(kind, Scalar) or kind.facts.reference is not None:
        return ""
    if kind.kind in ("datetime", "date"):
        return "a time that rises"
    if binding.spec.types.get(name) == "objectId":
        return "an ObjectId, which begins with the time"
    if _DATE in (kind.pattern or ""):
        return "a date, which rises"
    if _is_numbered(binding, name, kind):
        return "a number that rises with each document"
    return "a ULID, which begins with the time" if _ULID in (kind.pattern or "") else ""


def _is_numbered(binding: Binding[Collection], name: str, kind: Scalar) -> bool:
    """Whether an integer numbers the documents: without an upper bound, and as a key of its own or of their order."""
    if kind.kind != "integer" or kind.constants or kind.maximum is not None or name not in _ordering(binding):
        return False
    count, values = binding.spec.expected, kind.facts.distinct
    return values is None or (count is not None and values >= count)


def _ordering(binding: Binding[Collection]) -> set[str]:
    """The only field of the key of documents, and the last fields of compound and unique indexes."""
    keys = [ordered(index.keys) for index in binding.spec.indexes if isinstance(index, Index)]
    unique = {index[-1] for index in keys if len(index) > 1}
    unique |= {
        names[0]
        for index in binding.spec.indexes
        if isinstance(index, Index) and index.unique and len(names := list(ordered(index.keys))) == 1
    }
    own = identity(binding)
    return unique | (own if len(own) == 1 else frozenset())
