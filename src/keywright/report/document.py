"""The envelope of every JSON document: which keywright made it, and by which schema."""

from keywright import __version__
from keywright.ir.json import Json, pretty


def document(schema: str, body: dict[str, Json]) -> str:
    """A document as text; `schema` is its name and number, such as `compile/1`."""
    return pretty({"keywright": __version__, "schema": schema, **body})
