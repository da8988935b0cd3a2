"""Finds tables and collections with items that are removed from the models of an environment without migrations.

Another name or generation is a new table, which stays empty in development. A stack drops the former table unless it is
protected; otherwise it stays, but nothing reads it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from keywright.compiler import Compiled, Placed
from keywright.engines.registry import facts_of
from keywright.record import Record, replace
from keywright.rules.catalogue import CHANGES
from keywright.rules.rule import Finding

_RULES = {rule.code: rule for rule in CHANGES if rule.code in ("BC101", "DS102")}
_PARTS = ("collections", "tables")

Path = tuple[str, ...]


class Gone(Record):
    """A table or collection that was removed from the models."""

    finding: Finding
    """Finding of a rename if the models also have a new table; else of a removal."""
    name: str
    """Physical name of the table, database or keyspace, as a driver introspects it."""
    object: str
    """Physical name of the table or collection."""


def gone(compiled: Compiled, store: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Gone]:
    """Tables and collections of a store that were removed from the models.

    before, after: item keys by key of the target, as in `orphaned_items.identities`.
    """
    former, now = _paths(store, before), _paths(store, after)
    new = [path[-1] for path in now if path not in former]
    for path in former:
        if path not in now and (placed := _physical(compiled, store, path, before)):
            name = "/".join(path)
            message = f'"{path[-1]}" is removed from the models'
            help = f'keep the name and generation of "{path[-1]}"' if new else f'declare "{path[-1]}" again'
            if new:
                message = f'{message}, and "{new[0]}" is new: stored items are not moved'
            rule = _RULES["BC101" if new else "DS102"]
            yield Gone(
                Finding(rule=rule, severity=rule.severity, message=message, help=help, store=store, object=name),
                *placed,
            )


def _paths(store: str, targets: Mapping[str, Any]) -> tuple[Path, ...]:
    """Paths of all tables and collections: the key of the target, and the name in a target with several."""
    if facts_of(store).nouns.is_table:
        return tuple((key,) for key in targets)
    natives = {key: target["native"] for key, target in targets.items()}
    return tuple((key, name) for key, native in natives.items() for part in _PARTS for name in native.get(part, ()))


def _physical(compiled: Compiled, store: str, path: Path, before: Mapping[str, Any]) -> tuple[str, str] | None:
    """(name, object) of a path, as in `Gone`; None if no target of the engine is left to derive them from."""
    engine = store.partition("/")[0]
    other = next((target for target in compiled.targets if target.engine.name == engine), None)
    if other is None:
        return None
    if len(path) == 1:
        generation = before[path[0]]["generation"]
        name = _placed_name(compiled, other, name=path[0].removesuffix(f"-k{generation}"), generation=generation)
        return name, name
    name = _placed_name(compiled, other, name=path[0])
    return name, f"{name}.{path[1]}"


def _placed_name(compiled: Compiled, other: Placed, **values: Any) -> str:
    """Physical name of a former table, database or keyspace, derived from any other of its engine, since the
    environment changes all names alike.
    """
    declared: Any = other.declared
    placed: Any = other.engine.place(replace(declared, **values), compiled.environment.of(other.engine.name))
    return str(placed.name)
