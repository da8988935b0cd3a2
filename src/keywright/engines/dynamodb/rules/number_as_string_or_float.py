"""DDB023: a number is text, or a binary floating point number."""

import re
from collections.abc import Iterator

from keywright.engines.dynamodb.keys import item_of
from keywright.engines.flaws.context import Flaw, Whole, fields
from keywright.engines.flaws.fix import Fix, Retype
from keywright.engines.flaws.observation import Seen
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding

_AMOUNT = re.compile(r"(?:^|_)(total|subtotal|amount|price|cost|fee|balance|quantity|qty)$")
"""Words behind which stands what is added up and compared, in names of fields."""


def models(whole: Whole) -> Iterator[Flaw]:
    """Every such field of an item, those of embedded models too."""
    for binding in whole.bindings("dynamodb"):
        for path, attribute in fields(binding.entity.attributes):
            kind = attribute.type
            if not isinstance(kind, Scalar) or kind.constants:
                continue
            if kind.kind in ("integer", "decimal", "float") and item_of(binding).types.get(path) == "S":
                what = "is a number that is stored as text: it has no range of values, and is not added to"
                yield _flaw(binding, path, what)
            elif kind.kind == "string" and _AMOUNT.search(attribute.name):
                what = "is text, and a number by its name: it has no range of values, and is not added to"
                is_bounded = kind.max_length is not None or kind.min_length is not None or kind.pattern is not None
                yield _flaw(binding, path, what, None if is_bounded else Retype("str", "Decimal"))
            elif kind.kind == "float" and _AMOUNT.search(attribute.name):
                what = "is a float, in which 0.1 + 0.2 is not 0.3, and which the client for Python refuses"
                yield _flaw(binding, path, what, Retype("float", "Decimal"))


def live(seen: Seen) -> Iterator[Flaw]:
    """Every number of which sampled items hold a text, but for times of expiry."""
    for binding, items in seen.items():
        names = {one.stored: one.name for one in binding.entity.attributes}
        for stored, count in items.wrong.items():
            if stored == seen.target.placed.ttl:
                continue  # DDB024 tells what becomes of that
            yield Flaw(
                problem=f'{items.sample.of(count)} hold "{stored}" as text, and it is declared as a number: what reads '
                "by the model fails, and no range finds them",
                help="find out who writes them, and put them right by a backfill",
                subject=binding.name,
                field=names.get(stored, stored),
            )


def _flaw(binding: Binding, path: str, what: str, edit: Retype | None = None) -> Flaw:
    return Flaw(
        problem=f'"{path}" {what}',
        help="make it a Decimal, or whole cents as int, and store it as a number",
        subject=binding.name,
        field=path.partition(".")[0],
        fix=Fix((edit,)) if edit and "." not in path else None,
    )
