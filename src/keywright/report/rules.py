"""The catalogue of codes, as a document for programs and as tables in Markdown."""

from collections.abc import Iterable

from keywright.ir.json import Json
from keywright.rules.listing import FAMILIES, Entry

from . import gfm
from .document import long_document


def document(entries: Iterable[Entry]) -> str:
    """The document of `keywright rules --format json`."""
    rows: list[Json] = [_row(one) for one in entries]
    return long_document("rules/1", {"rules": rows})


def markdown(entries: Iterable[Entry], pages: str) -> str:
    """A table for each family.

    pages: what the file name of a page is put behind.
    """
    found = tuple(entries)
    return "\n".join(
        f"## {title}\n\n{_table([one for one in found if one.family == family], pages)}"
        for family, title in FAMILIES.items()
        if any(one.family == family for one in found)
    )


def _table(entries: Iterable[Entry], pages: str) -> str:
    head = gfm.head("code", "name", "finds", "asked of", "in development", "elsewhere", "parameters")
    return head + "".join(
        gfm.row(
            f"[`{one.code}`]({pages}{one.code}.md)",
            one.name,
            one.summary,
            ", ".join(one.asked),
            one.in_dev,
            one.elsewhere,
            ", ".join(f"`{parameter.name}`" for parameter in one.parameters),
        )
        for one in entries
    )


def _row(one: Entry) -> Json:
    return {
        "code": one.code,
        "name": one.name,
        "summary": one.summary,
        "asked": list(one.asked),
        "severity": {"dev": one.in_dev, "gated": one.elsewhere},
        "confidence": one.confidence,
        "suppressible": one.is_suppressible,
        "parameters": {parameter.name: parameter.schema for parameter in one.parameters},
    }
