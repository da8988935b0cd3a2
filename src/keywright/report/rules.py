"""The catalogue of codes, as a JSON document and as Markdown tables."""

from collections.abc import Iterable

from keywright.ir.json import Json
from keywright.rules.listing import FAMILIES, Entry

from . import gfm
from .document import long_document


def document(entries: Iterable[Entry]) -> str:
    """JSON document of `keywright rules --format json`."""
    rows: list[Json] = [_row(entry) for entry in entries]
    return long_document("rules/1", {"rules": rows})


def markdown(entries: Iterable[Entry], pages: str) -> str:
    """Markdown with one table per family.

    pages: prefix of the file names of pages.
    """
    catalogue = tuple(entries)
    return "\n".join(
        f"## {title}\n\n{_table([entry for entry in catalogue if entry.family == family], pages)}"
        for family, title in FAMILIES.items()
        if any(entry.family == family for entry in catalogue)
    )


def _table(entries: Iterable[Entry], pages: str) -> str:
    head = gfm.head("code", "name", "problem", "scope", "in development", "elsewhere", "parameters")
    return head + "".join(
        gfm.row(
            f"[`{entry.code}`]({pages}{entry.code}.md)",
            entry.name,
            entry.summary,
            ", ".join(entry.scope),
            entry.in_dev,
            entry.elsewhere,
            ", ".join(f"`{parameter.name}`" for parameter in entry.parameters),
        )
        for entry in entries
    )


def _row(entry: Entry) -> Json:
    return {
        "code": entry.code,
        "name": entry.name,
        "summary": entry.summary,
        "asked": list(entry.scope),
        "severity": {"dev": entry.in_dev, "gated": entry.elsewhere},
        "confidence": entry.confidence,
        "suppressible": entry.is_suppressible,
        "parameters": {parameter.name: parameter.schema for parameter in entry.parameters},
    }
