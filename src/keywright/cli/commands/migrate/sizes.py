"""Sizes, counts and warnings of a plan, as text and as JSON."""

from collections.abc import Iterator, Sequence

from keywright.api.migrate.estimates import Estimate, ItemCount
from keywright.engines.contract.counting import CountKind, StoreSize
from keywright.ir.json import Json
from keywright.ir.text import counted, exact
from keywright.rules.rule import Finding

EXACT = 10_000
"""Counts are rounded from this number on."""


def size_lines(estimate: Estimate | None) -> Iterator[str]:
    """Lines about the data that a step reads or writes; none for an empty object."""
    if estimate is None or (estimate.size and not estimate.size.items and not estimate.size.remark):
        return
    if estimate.size is None:
        yield f"over {estimate.object}: its size is unknown"
        return
    remark = f" ({estimate.size.remark})" if estimate.size.remark else ""
    yield f"over {estimate.object}: {_size_text(estimate.size)}{remark}"
    if estimate.units:
        parts = ((estimate.units.read, "read"), (estimate.units.write, "write"))
        units = ", ".join(counted(count, f"{kind} unit", spec=about) for count, kind in parts if count)
        if units:
            yield f"needs about {units}, for items of average size"


_WORDS: dict[CountKind, tuple[str, str]] = {
    "violations": ("break the validator", "breaks the validator"),
    "duplicates": ("share a key of the unique index", "shares a key of the unique index"),
    "expired": ("would expire at once", "would expire at once"),
    "misfits": ("would be left out of the index", "would be left out of the index"),
    "other types": ("are of another type, and calls would fail", "is of another type, and calls would fail"),
}
_NOUNS: dict[CountKind, str] = {"violations": "document", "duplicates": "document", "other types": "key"}


def count_lines(answers: Sequence[ItemCount]) -> Iterator[str]:
    """Lines about counts in stored data."""
    for answer in answers:
        many, single = _WORDS[answer.question.kind]
        noun = _NOUNS.get(answer.question.kind, "item")
        if answer.counted is None:
            yield f"{answer.question.object}: counting timed out: {noun}s that {many}"
        elif answer.counted.count == 1 and not answer.counted.is_more:
            yield f"{answer.question.object}: {answer.counted} {noun} {single}"
        elif answer.counted.count:
            yield f"{answer.question.object}: {answer.counted} {noun}s {many}"
        else:
            yield f"{answer.question.object}: no {noun}{answer.counted.among} {single}"


def counts_json(answers: Sequence[ItemCount]) -> dict[str, Json]:
    """JSON of counts in stored data; no key without counts."""
    rows: list[Json] = [
        {
            "asks": answer.question.kind,
            "object": answer.question.object,
            "count": answer.counted.count if answer.counted else None,
            "read": answer.counted.read if answer.counted else None,
            "more": bool(answer.counted and answer.counted.is_more),
        }
        for answer in answers
    ]
    return {"counts": rows} if rows else {}


def _size_text(size: StoreSize) -> str:
    rounded = "about " if size.remark or size.items >= EXACT else ""
    return f"{rounded}{counted(size.items, size.noun, spec=about)}, {about(size.bytes, 'B')}"


def about(number: float, unit: str = "") -> str:
    """A number with its unit; from `EXACT` on in two or three digits: `1.2 M`, with a decimal prefix."""
    if number < EXACT:
        return f"{exact(number)} {unit}".rstrip()
    scaled, prefixes = number / 1000, iter("kMGT")
    prefix = next(prefixes)
    while scaled >= 999.5 and (larger := next(prefixes, "")):
        scaled, prefix = scaled / 1000, larger
    return f"{scaled:.1f} {prefix}{unit}" if scaled < 9.95 else f"{scaled:.0f} {prefix}{unit}"


def estimate_json(estimate: Estimate | None) -> dict[str, Json]:
    """JSON of the size of a step's data; no key if it is unknown."""
    if estimate is None:
        return {}
    size: Json = None
    if estimate.size:
        size = {
            "items": estimate.size.items,
            "bytes": estimate.size.bytes,
            "noun": estimate.size.noun,
            "remark": estimate.size.remark,
        }
    units: Json = {"read": estimate.units.read, "write": estimate.units.write} if estimate.units else None
    return {"over": {"object": estimate.object, "size": size, "units": units}}


def warnings_json(findings: Sequence[Finding]) -> dict[str, Json]:
    """JSON of the findings about sizes; no key without findings."""
    rows: list[Json] = [
        {
            "code": finding.code,
            "migration": finding.version,
            "object": finding.object,
            "message": finding.message,
            "help": finding.help,
        }
        for finding in findings
    ]
    return {"warnings": rows} if rows else {}
