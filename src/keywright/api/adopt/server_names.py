"""Names of servers that have none of their own: those under which a project declares them."""

from typing import Any

from keywright.engines.interface import Engine
from keywright.errors import UsageError
from keywright.ir.design import Design

from ..live.addresses import address_of, server_of


class ServerNames:
    """The declared servers of a project, and those that are adopted in one run."""

    def __init__(self, design: Design) -> None:
        """design: the existing declarations."""
        self._declared = {
            (physical.engine, physical.name): _address(physical.engine, physical.name) for physical in design.physicals
        }

    def of(self, engine: Engine[Any, Any], name: str, address: str) -> tuple[str, ...]:
        """The names that the variables of addresses give to a server, else a new name like `name`; never none.

        A declared server without an address is the one that is named like it.
        """
        server = server_of(engine.name, address)
        declared = {own: at for (other, own), at in self._declared.items() if other == engine.name}
        if names := tuple(own for own, at in declared.items() if at == server):
            return names
        candidates = (name, *(f"{name}_{number}" for number in range(2, 1000)))
        new = next(candidate for candidate in candidates if not declared.get(candidate))
        self._declared[engine.name, new] = server
        return (new,)


def _address(engine: str, name: str) -> str:
    """The server of a declared name; empty if no variable has its address."""
    try:
        _, address = address_of(f"{engine}/{name}", None, dict)
    except UsageError:
        return ""
    return server_of(engine, address)
