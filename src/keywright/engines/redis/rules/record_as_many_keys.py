"""RED038: each field of a record is under a key of its own."""

from collections import defaultdict
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.errors import quoted
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted

from ..access.layout import Layout
from ..declare.options import Structure
from ..findings.servers import servers

_KINDS = ("string", "counter")


def models(context: RuleContext, *, min_fields: int = 3, min_keys: int = 100_000) -> Iterator[FindingDraft]:
    """Entities of one value under the same fields and with the same expiry, and keys that end in the name of a field.

    min_fields: keys of one record from which a hash is better. min_keys: declared keys of an entity below which the
    memory is no matter, if all of them are of one entity.
    """
    for server in servers(context):
        by_key = defaultdict[tuple[object, ...], list[str]](list)
        for binding, layout in server.entities:
            if layout.kind not in _KINDS or binding.spec.kind == "cache" or layout.value is None:
                continue
            names = tuple(placeholder.path for placeholder in layout.key.placeholders)
            fields = _field_names(context, binding, layout)
            if fields and (binding.spec.expected or min_keys) < min_keys:
                continue
            if len(fields) >= min_fields:
                yield FindingDraft(
                    problem=f"each of the "
                    f'{counted(len(fields), "field")} of a record is a key, "{layout.key.text}": a record '
                    "takes several times the memory of a hash, and a round trip for each field",
                    help="store the record as kw.RedisHash(...), with these fields",
                    subject=binding.name,
                )
            elif names:
                by_key[names, layout.structure.ttl_seconds, layout.structure.expires_at].append(binding.name)
        for entities in by_key.values():
            if len(entities) >= min_fields:
                yield FindingDraft(
                    problem=f"{quoted(entities)} store one value each by the same key fields: a record takes several "
                    "times the memory of a hash, and a round trip for each field",
                    help="store them as one kw.RedisHash(...), whose fields are read and written one by one",
                    subject=entities[0],
                )


def _field_names(context: RuleContext, binding: Binding[Structure], layout: Layout) -> tuple[object, ...]:
    """The constants of the last placeholder, if it ends the key of a value that another placeholder identifies.

    Where several placeholders identify it, all of its values must be written by one call.
    """
    last = layout.key.parts[-1]
    attribute = None if isinstance(last, str) else layout.attribute(last.path)
    constants = attribute.type.constants if attribute is not None and isinstance(attribute.type, Scalar) else ()
    count = len(layout.key.placeholders)
    is_together = any(plan.pattern.batch == len(constants) for plan, _ in calls(context, binding, "put"))
    return constants if count == 2 or (count > 2 and is_together) else ()
