"""The envelope of every JSON document: which keywright made it, and by which schema."""

from keywright import __version__
from keywright.ir.json import Json, listed, pretty


def document(schema: str, body: dict[str, Json]) -> str:
    """A document as text; `schema` is its name and number, such as `compile/1`."""
    return pretty(enveloped(schema, body))


def long_document(schema: str, body: dict[str, Json]) -> str:
    """A document that may be long, with one line for each element of its lists."""
    return listed(enveloped(schema, body))


def enveloped(schema: str, body: dict[str, Json]) -> dict[str, Json]:
    """The body behind what every document begins with."""
    return {"keywright": __version__, "schema": schema, **body}
