"""GEN011: the largest item that a model allows does not fit into its store, or comes near that."""

from collections.abc import Iterator

from keywright.engines.flaws.asked import single
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen
from keywright.ir.attribute import Many
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve


def models(whole: Whole, *, warn: int = 25, error: int = 100) -> Iterator[Flaw]:
    """Every entity whose declared bounds allow it, and every list that is pushed to and has none; else nothing is known
    where a bound is missing.

    warn, error: percent of the store's limit from which on it is a warning, and worse.
    """
    for binding in whole.design.bindings:
        held = whole.holding(binding)
        if held is None or held.limit is None or held.item.high is None:
            continue
        share = held.item.high * 100 / held.limit
        if share < (error if held.is_watched else min(warn, error)):
            continue
        largest = max(held.fields, key=lambda name: held.fields[name].high or 0, default="")
        yield Flaw(
            problem=f"its largest {held.noun} has {_bytes(held.item.high)}, {share:.0f} % of the {_bytes(held.limit)} "
            f"that a {held.noun} may have",
            help=f'bound "{largest}" by Field(max_length=...), or keep it in an entity of its own'
            if largest
            else "bound its fields by Field(max_length=...)",
            subject=binding.name,
            field=largest if _has(binding, largest) else "",
            severity="warning" if share < error else None,
        )
    yield from _growing(whole)


def _growing(whole: Whole) -> Iterator[Flaw]:
    bindings = {one.name: one for one in whole.design.bindings}
    for pattern in single(whole.design):
        binding = bindings[pattern.binding]
        found = resolve(binding.entity.attributes, pattern.pushes) if pattern.pushes else None
        held = whole.holding(binding) if found else None
        if found and held and held.limit and isinstance(found[-1].type, Many) and found[-1].type.max_items is None:
            yield Flaw(
                problem=f'"{pattern.pushes}" grows with each "{pattern.name}" without a bound, and a {held.noun} may '
                f"have {_bytes(held.limit)}",
                help="say it by Field(max_length=...), with Overflow(...) for more, or keep them in an entity of "
                "their own",
                subject=binding.name,
                field=found[0].name,
            )


def live(seen: Seen, *, warn: int = 25, error: int = 100) -> Iterator[Flaw]:
    """Every entity of which a sampled item is that large."""
    for binding, items in seen.items():
        held, largest = seen.whole.holding(binding), max(items.bytes, default=0)
        if held is None or held.limit is None or held.is_watched:
            continue
        share = largest * 100 / held.limit
        if share >= min(warn, error):
            yield Flaw(
                problem=f"the largest {items.sample} has {_bytes(largest)}, {share:.0f} % of the "
                f"{_bytes(held.limit)} that a {held.noun} may have",
                help="bound what makes it large by Field(max_length=...), or keep that in an entity of its own",
                subject=binding.name,
                severity="warning" if share < error else None,
            )


def _has(binding: Binding, field: str) -> bool:
    return binding.entity.attribute(field) is not None


def _bytes(number: float) -> str:
    for unit, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if number >= unit:
            return f"{number / unit:.4g} {name}"
    return f"{number:.0f} bytes"
