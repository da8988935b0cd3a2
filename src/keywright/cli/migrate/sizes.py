"""How much a plan goes over, for people and for documents."""

from collections.abc import Iterator, Sequence

from keywright.api.estimates import Estimate
from keywright.engines.sizes import Size
from keywright.ir.json import Json
from keywright.rules.rule import Finding

EXACT = 10_000
"""From this number on, a count is rounded."""


def gone_over(one: Estimate | None) -> Iterator[str]:
    """Lines on what a stage goes over; none where that is nothing for sure."""
    if one is None or (one.size and not one.size.items and not one.size.remark):
        return
    if one.size is None:
        yield f"over {one.object}: its size is unknown"
        return
    remark = f" ({one.size.remark})" if one.size.remark else ""
    yield f"over {one.object}: {_shown(one.size)}{remark}"
    if one.units:
        parts = ((one.units.read, "read"), (one.units.write, "write"))
        units = ", ".join(f"{about(count)} {kind} units" for count, kind in parts if count)
        if units:
            yield f"takes about {units}, by the average item"


def _shown(size: Size) -> str:
    noun = size.noun if size.items == 1 else f"{size.noun}s"
    rounded = "about " if size.remark or size.items >= EXACT else ""
    return f"{rounded}{about(size.items)} {noun}, {about(size.bytes, 'B')}"


def about(number: int, unit: str = "") -> str:
    """A number with its unit; from `EXACT` on in two or three digits: `1.2 M`, in thousands and not in 1024."""
    if number < EXACT:
        return f"{number} {unit}".rstrip()
    shown, prefixes = number / 1000, iter("kMGT")
    prefix = next(prefixes)
    while shown >= 999.5 and (larger := next(prefixes, "")):
        shown, prefix = shown / 1000, larger
    return f"{shown:.1f} {prefix}{unit}" if shown < 9.95 else f"{shown:.0f} {prefix}{unit}"


def estimate_json(one: Estimate | None) -> dict[str, Json]:
    """What a step's part of a document has beside the rest."""
    if one is None:
        return {}
    size: Json = None
    if one.size:
        size = {"items": one.size.items, "bytes": one.size.bytes, "noun": one.size.noun, "remark": one.size.remark}
    units: Json = {"read": one.units.read, "write": one.units.write} if one.units else None
    return {"over": {"object": one.object, "size": size, "units": units}}


def warnings_json(found: Sequence[Finding]) -> dict[str, Json]:
    """What the sizes give reason to say; no key where that is nothing."""
    told: list[Json] = [
        {"code": one.code, "version": one.version, "object": one.object, "message": one.message, "help": one.help}
        for one in found
    ]
    return {"warnings": told} if told else {}
