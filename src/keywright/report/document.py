"""Envelope of every JSON document: the version of keywright, and the schema."""

from keywright import __version__
from keywright.ir.json import Json, listed, pretty


def document(schema: str, body: dict[str, Json]) -> str:
    """JSON text of a document; `schema` is its name and number, such as `compile/1`."""
    return pretty(enveloped(schema, body))


def long_document(schema: str, body: dict[str, Json]) -> str:
    """JSON text of a document that may be long, with one line per list element."""
    return listed(enveloped(schema, body))


def enveloped(schema: str, body: dict[str, Json]) -> dict[str, Json]:
    """The body with the keys that every document begins with."""
    return {"keywright": __version__, "schema": schema, **body}
