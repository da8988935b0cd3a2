"""Former generations of a server's keys: they are data, of which no server and no snapshot tells."""

from typing import Any

from keywright.ir.design import Design


def keep(design: Design, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """See `Engine.keep`: keys of both generations stand on one server, of which none is a part."""
    return after
