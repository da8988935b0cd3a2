"""A store in memory, with the driver of one: it does what it is told, and fails where a test says so."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tests.migrations.memory import MemoryLedger

from keywright.engines.contract.pages import Pages
from keywright.engines.contract.plan import Statement
from keywright.engines.interface import Description, Driver, Observed, StatementFailed
from keywright.ir.json import Json

NO_PAGES = Pages(
    split=lambda count: (), page=lambda segment, cursor, limit: ((), None), find=lambda keys: (),
    write=lambda changes: (), form=lambda path, value: value,
)  # fmt: skip
"""The items of a store that holds none."""


class Crash(Exception):
    """The process ends here."""


def a_statement(name: str, *, target: str = "shop", wants: Json = "as declared") -> Statement:
    """A step that makes one object of a target."""
    return Statement(f"store/{target}", target, (name,), f'create "{name}"', {"create": name}, wants)


@dataclass
class Store:
    """What is there, and what was asked of it."""

    objects: dict[str, dict[str, Json]] = field(default_factory=dict)
    """Each target's objects, by name."""
    effects: list[str] = field(default_factory=list)
    """Names of the objects that were made, in order."""
    looks: int = 0
    """How often it was described."""
    before: Callable[[str], None] = lambda call: None
    """Called with "look" or a name before that is done."""
    after: Callable[[str], None] = lambda call: None
    """Called with "look" or a name when that is done."""
    on_look: Callable[["Store"], None] = lambda store: None
    """What else happens when it is looked at, such as a build that goes on."""

    histories: dict[tuple[str, str], MemoryLedger] = field(default_factory=dict)
    """The histories that were asked for, by home and store."""

    @property
    def driver(self) -> Driver:
        """A connection to it."""
        return Driver(
            introspect=self._introspect,
            names=tuple,
            run=self._run,
            load=lambda name, items: 0,
            stored=lambda name, item: None,
            observe=lambda: Observed(client=None, events=tuple),
            ledger=lambda home, store: self.histories.setdefault((home, store), MemoryLedger()).ledger,
            pages=lambda work: NO_PAGES,
            drop=lambda names: None,
            close=int,
        )

    def _introspect(self, names: Iterable[str]) -> dict[str, Description | None]:
        self.before("look")
        self.looks += 1
        self.on_look(self)
        result = {name: self._described(name) for name in names}
        self.after("look")
        return result

    def _described(self, name: str) -> Description | None:
        if name not in self.objects:
            return None
        return {"name": name, "generation": 1, "native": dict(self.objects[name]), "shape": {}}

    def _run(self, statement: Statement) -> None:
        (name,) = statement.object
        self.before(name)
        if name in self.objects.get(statement.target, {}):
            raise StatementFailed(f"{name} exists")
        self.objects.setdefault(statement.target, {})[name] = statement.wants
        self.effects.append(name)
        self.after(name)
