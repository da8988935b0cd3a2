"""What the model of a chaotic project is at a moment, as data: which fields, indexes and upgrades it has."""

from random import Random
from typing import Any

from tests.projects import with_imports

from keywright.record import Record, replace

OPTIONAL = "Annotated[str, Field(min_length=1, max_length=20)] | None = None"

ENGINES = ("cassandra", "dynamodb", "mongodb", "redis")

PLACES = {
    "cassandra": 'kw.Keyspace("chaos")',
    "dynamodb": 'kw.DynamoTable("chaos", gsis=[INDEXES])',
    "mongodb": 'kw.MongoDatabase("chaos")',
    "redis": 'kw.RedisServer("chaos", role="primary"SETTINGS)',
}
STORES = {
    "cassandra": 'kw.CqlTable(place, "things", partition="key", indexes=[INDEXES]UPGRADES)',
    "dynamodb": 'kw.Item(place, pk="THING#{key}", sk="THING"UPGRADES)',
    "mongodb": 'kw.Collection(place, "things", id="{key}", indexes=[INDEXES]UPGRADES)',
    "redis": 'kw.RedisHash(place, key="thing:{key}", keep_forever="things stay"UPGRADES)',
}
INDEX = {
    "cassandra": 'kw.CqlIndex("{field}")',
    "dynamodb": 'kw.Gsi("by_{field}", pk="{field}", sk="pk")',
    "mongodb": 'kw.Index("{field}")',
}
"""How each engine says an index on a field; Redis has none, and changes a setting in its place."""
INCREMENT = 'kw.Increment(Thing, "score", rate="1/s")'
UPDATE = 'kw.Update(Thing, sets="score", rate="1/s")'
"""How an application adds to a score; Cassandra adds to counters alone."""


class Shape(Record):
    """A model at a moment."""

    engine: str
    """Its engine."""
    optional: tuple[str, ...] = ()
    """Fields that may be missing."""
    filled: tuple[str, ...] = ()
    """Fields that an upgrade filled, each with its own name as the value."""
    indexes: tuple[str, ...] = ()
    """Indexed optional fields; in Redis, settings that differ from the default."""
    version: int = 1
    """The schema version."""

    def text(self) -> str:
        """The model file."""
        indexes = ", ".join(INDEX[self.engine].format(field=field) for field in self.indexes if self.engine in INDEX)
        is_set = self.engine == "redis" and self.indexes
        settings = f", settings={{'timeout': {30 + len(self.indexes)}}}" if is_set else ""
        place, store = PLACES[self.engine], STORES[self.engine]
        lines = [
            f"place = {place}",
            "class Thing(BaseModel):",
            f"    __store__: ClassVar = {store}",
            "    key: Annotated[str, Field(max_length=20, pattern='^[a-z0-9]+$')]",
            "    score: int = 0",
            *(
                f"    {name}: Annotated[str, Field(min_length=1, max_length=20)] | None = None"
                for name in self.optional
            ),
            *(f"    {name}: Annotated[str, Field(max_length=20)] = {name!r}" for name in self.filled),
            'get = kw.Get(Thing, rate="1/s")',
            'put = kw.Put(Thing, rate="1/s")',
            'delete = kw.Delete(Thing, rate="1/s")',
            f"add = {UPDATE if self.engine == 'cassandra' else INCREMENT}",
        ]
        text = with_imports("\n".join(lines))
        return text.replace("INDEXES", indexes).replace("SETTINGS", settings).replace("UPGRADES", self._upgrades())

    def _upgrades(self) -> str:
        if self.version == 1:
            return ""
        name = self.filled[-1]
        upgrade = f'kw.Upgrade(set={{"{name}": "{name}"}})'
        return f", schema_version={self.version}, upgrades={{{self.version - 1}: {upgrade}}}"

    def grown(self, rng: Random, label: str) -> tuple["Shape", str]:
        """The shape after a random change, and the change in words; `label` makes new names unique."""
        changes = ["optional", "optional", "filled"]
        changes += ["index"] * bool(self._unindexed()) + ["drop index"] * bool(self.indexes)
        match rng.choice(changes):
            case "optional":
                return replace(self, optional=(*self.optional, f"o{label}")), f"add optional field o{label}"
            case "filled":
                shape = replace(self, filled=(*self.filled, f"f{label}"), version=self.version + 1)
                return shape, f"add field f{label}, filled by an upgrade"
            case "index":
                name = rng.choice(self._unindexed())
                return replace(self, indexes=(*self.indexes, name)), f"index {name}"
            case _:
                name = rng.choice(self.indexes)
                return replace(
                    self, indexes=tuple(index for index in self.indexes if index != name)
                ), f"drop index {name}"

    def _unindexed(self) -> list[str]:
        return [name for name in self.optional if name not in self.indexes][:4]

    def merged(self, ours: "Shape", theirs: "Shape") -> "Shape":
        """The shape with what both sides have changed of this one."""

        def both(name: str) -> Any:
            before, left, right = (getattr(shape, name) for shape in (self, theirs, ours))
            kept = [entry for entry in before if entry in left and entry in right]
            return (*kept, *(entry for side in (left, right) for entry in side if entry not in before))

        names = ("optional", "filled", "indexes")
        version = self.version + (ours.version - self.version) + (theirs.version - self.version)
        return replace(self, version=version, **{name: both(name) for name in names})
