"""Rejects a change of keys or tables in development that would orphan stored items.

The former item keys are recorded by the tool that changes the store: by a stack in its state, by `apply --local` beside
the local servers. The rules of migrations check the changes since then, and affected stores are searched for items.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from keywright.compiler import Compiled, Placed
from keywright.engines.contract.discriminators import Keys, fits
from keywright.engines.contract.identity import formerly, identity
from keywright.engines.contract.pages import Pages, StoredItem, Work
from keywright.engines.findings.migration.effect import Effect
from keywright.engines.interface import Driver, StatementFailed
from keywright.errors import DeclarationError, Unavailable
from keywright.migrations.snapshot import Snapshot, Stores, described, key_of, target_of
from keywright.record import Record
from keywright.rules.rule import Finding
from keywright.rules.run_migration import changed_keys

from ..author.former_names import hints_of
from .dropped_tables import Gone, gone

PAGE = 500
"""Items per page."""

Identities = Mapping[str, Mapping[str, Any]]
"""Item keys, by store and key of the target."""


class OrphanedItems(Record):
    """A change of keys that orphans items."""

    finding: Finding
    """Finding of migrations about the same change."""
    note: str
    """Sentence about the items."""


def refusal(orphaned_items: OrphanedItems, allow: str) -> DeclarationError:
    """Error that rejects a change.

    allow: command that makes the change nevertheless.
    """
    finding = orphaned_items.finding
    help = f"{finding.help}; or remove these items; or accept that they become unreachable: {allow}"
    subject = f"{finding.store} {finding.object}"
    return DeclarationError(finding.code, f"{finding.message}; {orphaned_items.note}", help=help, subject=subject)


def identities(compiled: Compiled) -> dict[str, dict[str, Any]]:
    """Item keys that the models declare."""
    keys: dict[str, dict[str, Any]] = {}
    for target in compiled.targets:
        target_keys = identity(target.engine.classes, described(target.engine, target.declared))
        keys.setdefault(target.store, {})[key_of(target.engine, target.declared)] = target_keys
    return keys


def orphaning(
    compiled: Compiled, former: Identities, driver_of: Callable[[str], Driver], allowed: Collection[str] = ()
) -> Iterator[OrphanedItems]:
    """Changes of keys, tables and collections since `former` that would orphan stored items.

    driver_of: a connection to a store, called only if its keys change. allowed: objects of findings whose items may be
    orphaned, such as `shop/Order/pk`, or `shop/Order` for everything in it. Raises Unavailable if a store cannot be
    read.
    """
    hints = hints_of(compiled)
    targets = {(placed.store, key_of(placed.engine, placed.declared)): placed for placed in compiled.targets}
    before: Stores = {}
    after: Stores = {}
    for (store, key), target in targets.items():
        description, former_keys = described(target.engine, target.declared), former.get(store, {}).get(key)
        if former_keys is not None:
            names = {
                path[2]: old
                for (hint_store, path), old in hints.items()
                if hint_store == store and _is_entity(path, key)
            }
            after.setdefault(store, {})[key] = description
            before.setdefault(store, {})[key] = formerly(description, former_keys, names)
    for effect, finding in changed_keys(Snapshot(before), Snapshot(after), hints):
        if _is_allowed(finding, allowed):
            continue
        store, key = effect.store, effect.path[0]
        former_items = _FormerItems(compiled, targets[store, key], before[store][key], after[store][key])
        entity = hints.get((store, effect.path[:3]), effect.entity) if effect.entity else ""
        place = former_items.place(driver_of(store), effect, entity)
        if place:
            items = f"items of {effect.entity}" if effect.entity else "items"
            yield OrphanedItems(
                finding, f'"{place}" contains {items} under the former key, which would become unreachable'
            )
    yield from _in_removed_tables(compiled, former, driver_of, allowed)


def _in_removed_tables(
    compiled: Compiled, former: Identities, driver_of: Callable[[str], Driver], allowed: Collection[str]
) -> Iterator[OrphanedItems]:
    """Tables and collections with items that were removed from the models; see `orphaning`."""
    after = identities(compiled)
    for store, tables in former.items():
        for table in gone(compiled, store, tables, after.get(store, {})):
            if not _is_allowed(table.finding, allowed) and _holds_items(driver_of(store), store, table):
                yield OrphanedItems(
                    table.finding, f'"{table.object}" contains items, which would be dropped or become unreachable'
                )


def _holds_items(driver: Driver, store: str, table: Gone) -> bool:
    with _readable(store):
        if not _is_there(driver, table.name, table.object):
            return False
        return any(True for _ in _items(driver.pages(Work(object=table.object, reads=(), writes=()))))


def _is_allowed(finding: Finding, allowed: Collection[str]) -> bool:
    return any(f"{finding.object}/".startswith(f"{object}/") for object in allowed)


@contextmanager
def _readable(store: str) -> Iterator[None]:
    """Raise a failed read of items within the block as Unavailable."""
    try:
        yield
    except StatementFailed as failure:
        problem = f"{store}: could not read whether items exist under former keys: {failure}"
        raise Unavailable(problem, "check that it runs, then run the same command again") from failure


def _is_entity(path: tuple[str, ...], key: str) -> bool:
    return len(path) == 3 and path[:2] == (key, "shape")


class _FormerItems(Record):
    """Items of a target under their former keys."""

    compiled: Compiled
    target: Placed
    before: Mapping[str, Any]
    after: Mapping[str, Any]

    def place(self, driver: Driver, effect: Effect, entity: str) -> str:
        """Object with items that a change orphans; empty if there are none.

        entity: its former name; empty for a change of a whole table.
        """
        engine = self.target.engine
        declared = target_of(engine, effect.path[0], self.before)
        placed = engine.place(declared, self.compiled.environment.of(engine.name))
        if entity and entity not in self.before["shape"]:
            entity = effect.entity
        work = engine.work(placed, entity) if entity else Work(object=placed.name, reads=(), writes=())
        with _readable(effect.store):
            if not _is_there(driver, placed.name, work.object):
                return ""
            return work.object if self._has_items(driver.pages(work), entity, effect.entity) else ""

    def _has_items(self, pages: Pages, former: str, entity: str) -> bool:
        arguments = self.target.engine.key_arguments
        old, new = (
            tuple(
                (argument, text)
                for argument, text in (side["shape"][name]["key"].items() if name else ())
                if argument in arguments
            )
            for side, name in ((self.before, former), (self.after, entity))
        )
        names = dict(zip(arguments, pages.keyed_by, strict=False))
        return any(not _is_moved(item, names, old, new) for item in _items(pages))


def _items(pages: Pages) -> Iterator[StoredItem]:
    for segment in pages.split(1):
        cursor = None
        while True:
            items, cursor = pages.page(segment, cursor, PAGE)
            yield from items
            if cursor is None:
                break


def _is_moved(item: StoredItem, names: Mapping[str, str], old: Keys, new: Keys) -> bool:
    """Whether an item's key fits the new templates but not the old ones."""
    texts = {
        argument: value if isinstance(value := item.values.get(name), str) else None for argument, name in names.items()
    }
    return fits(texts, new) and not fits(texts, old)


def _is_there(driver: Driver, name: str, object: str) -> bool:
    """Whether a table exists; a missing table has no items to read."""
    description: Any = driver.introspect([name])[name]
    table = object.removeprefix(f"{name}.")
    return description is not None and (table == object or table in description["native"].get("tables", {table: None}))
