"""DDB102: a key may be longer than the service takes."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.layout import Entity, Part
from keywright.engines.dynamodb.access.size import key_bytes, template_bytes
from keywright.engines.dynamodb.capabilities import PARTITION_VALUE_BYTES, SORT_VALUE_BYTES
from keywright.engines.dynamodb.uses import entities, scalar
from keywright.engines.flaws.context import Flaw, Whole
from keywright.ir.keytext import pieces
from keywright.ir.template import Placeholder, Template


def models(whole: Whole) -> Iterator[Flaw]:
    """Every part of a key whose fields have such bounds; without bounds nothing is known."""
    for entity in entities(whole):
        seen: set[str] = set()
        for route in entity.routes:
            for part in route.key:
                most = (PARTITION_VALUE_BYTES if part in route.hashes else SORT_VALUE_BYTES).value
                size = _most(entity, part)
                if size is not None and size > most and part.attribute not in seen:
                    seen.add(part.attribute)
                    half = "partition" if part in route.hashes else "sort"
                    yield Flaw(
                        problem=f'"{part.written.text}" may take {size:,.0f} bytes, the {half} half of a key {most:,}',
                        help="bound its fields, as by Field(max_length=...) or Size(max=...); or key by a hash of them",
                        subject=entity.binding.name,
                        part=route.index,
                    )


def _most(entity: Entity, part: Part) -> float | None:
    """Bytes at the most; a text of plain letters takes one for each."""
    if part.native != "S":
        return key_bytes(entity, part).high
    found = 0.0
    for one in part.template.parts:
        high = template_bytes(entity, Template("", (one,))).high
        if high is None:
            return None
        kind = None if isinstance(one, str) else scalar(entity, one.path)
        if kind is not None and kind.max_length is not None and _is_plain(entity, one):
            high = min(high, kind.max_length)
        found += high
    return found


def _is_plain(entity: Entity, part: str | Placeholder) -> bool:
    """Whether a part writes letters of one byte only."""
    written = pieces(Template("", (part,)), entity.attributes)
    return all(one.letters is not None and all(letter.isascii() for letter in one.letters) for one in written)
