"""GEN105: an update changes a part of an index key, and is not given the other parts, of which the key is made."""

from collections.abc import Iterator

from keywright.access.path import NotServed, Rejected
from keywright.engines.flaws.context import Flaw, Whole
from keywright.errors import quoted


def models(whole: Whole) -> Iterator[Flaw]:
    """Every such update, those in transactions too."""
    for plan in whole.plans:
        for part in plan.parts or (plan,):
            lacks = next((one.lacks for one in _rejected(part.path) if one.lacks), ())
            if lacks and plan.pattern.unserved is None:
                yield Flaw(
                    problem=f"it changes a part of a key, and is not given {quoted(lacks)}, of which that is made too",
                    help=f"add {quoted(lacks)} to sets=, so that the caller says all of it",
                    subject=plan.pattern.name,
                    at=part.pattern.at,
                )


def _rejected(path: object) -> tuple[Rejected, ...]:
    return path.rejected if isinstance(path, NotServed) else ()
