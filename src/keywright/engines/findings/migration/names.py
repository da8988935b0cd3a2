"""NM: names that break the naming convention of the others of their kind, if these share one."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from keywright.engines.contract.shape import is_member
from keywright.engines.registry import facts_of

from .context import MigrationContext, MigrationFindingDraft
from .effect import Effect
from .migration import SnapshotInfo
from .values import is_field, stored

_STYLES = {
    "lower case": r"[a-z0-9]+",
    "snake_case": r"_?[a-z0-9]+(_[a-z0-9]+)+",
    "kebab-case": r"[a-z0-9]+(-[a-z0-9]+)+",
    "camelCase": r"[a-z][a-z0-9]*([A-Z][a-z0-9]*)+",
    "PascalCase": r"([A-Z][a-z0-9]*)+",
    "UPPER_CASE": r"[A-Z0-9]+(_[A-Z0-9]+)+",
}
_FITS_ALL = "lower case"
_ENOUGH = 3
_SHARE = 0.75


@lru_cache(4096)
def style(name: str) -> str:
    """The style of a name; empty for a name without a known style."""
    return next((style for style, pattern in _STYLES.items() if re.fullmatch(pattern, name)), "")


def convention(names: Iterable[str], by: Callable[[str], str]) -> str:
    """The style that nearly all names share; empty if there are too few, or if they differ.

    A single lower-case word fits every style without capitals, so it counts only if no name has another style.
    """
    styles = [style for name in names if (style := by(name))]
    distinctive = [style for style in styles if style != _FITS_ALL] or styles
    if len(distinctive) < _ENOUGH:
        distinctive = styles if len(styles) >= _ENOUGH and set(distinctive) <= {_FITS_ALL} else []
    if not distinctive:
        return ""
    most_common, count = Counter(distinctive).most_common(1)[0]
    return most_common if count >= _SHARE * len(distinctive) else ""


def stores(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """NM101: a new database, keyspace or server breaks the naming convention of the others."""
    effects = (effect for effect in context.effects if effect.kind == "AddTable" and len(effect.path) == 1)
    named = ((effect, effect.name) for effect in effects if not facts_of(effect.store).nouns.is_table)
    yield from _unconventional(context, named, lambda side, _: _stores(side))


def tables(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """NM102: a new table or collection breaks the naming convention of the others."""
    effects = (effect for effect in context.effects if effect.kind == "AddTable")
    named = (
        (effect, effect.name) for effect in effects if len(effect.path) == 4 or facts_of(effect.store).nouns.is_table
    )
    yield from _unconventional(context, named, _tables)


def attributes(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """NM103: a new attribute or column breaks the naming convention of the others, by its stored name."""
    effects = (effect for effect in context.of("AddField") if is_field(effect) and not is_member(effect.name))
    named = ((effect, stored(effect.name, effect.change.after).rpartition(".")[2]) for effect in effects)
    yield from _unconventional(context, named, _attributes)


def indexes(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """NM104: a new index breaks the naming convention of the others, unless it has the server's default name."""
    effects = context.of("AddIndex")
    named = ((effect, effect.name) for effect in effects if not _is_default(effect.name, effect.change.after))
    yield from _unconventional(context, named, _indexes)


def _unconventional(
    context: MigrationContext, named: Iterable[tuple[Effect, str]], others: Callable[[SnapshotInfo, str], Iterable[str]]
) -> Iterator[MigrationFindingDraft]:
    """Findings for each (effect, name) in another style than the existing names of the store."""
    conventions: dict[str, str] = {}
    for effect, name in named:
        if effect.store not in conventions:
            conventions[effect.store] = convention(others(context.before, effect.store), style)
        common = conventions[effect.store]
        fits = style(name) == common or (style(name) == _FITS_ALL and common not in ("PascalCase", "UPPER_CASE"))
        if common and not fits:
            problem = f'"{name}" is not in {common}, unlike most other names'
            yield context.hazard(effect, problem, "write it like the others, or give the reason under ignore:")


def _stores(side: SnapshotInfo) -> Iterator[str]:
    return (key for store, targets in side.stores.items() for key in targets if "/" in store)


def _tables(side: SnapshotInfo, store: str) -> Iterator[str]:
    for key, target in side.stores.get(store, {}).items():
        if facts_of(store).nouns.is_table:
            yield key
        for part in ("collections", "tables"):
            yield from target["native"].get(part, {})


def _attributes(side: SnapshotInfo, store: str) -> Iterator[str]:
    for target in side.stores.get(store, {}).values():
        for entity in target["shape"].values():
            yield from (stored(name, field).rpartition(".")[2] for name, field in entity["fields"].items())


def _indexes(side: SnapshotInfo, store: str) -> Iterator[str]:
    for target in side.stores.get(store, {}).values():
        for name, index in target["native"].get("indexes", {}).items():
            if facts_of(store).index_depth > 1:
                yield from (index_name for index_name, keys in index.items() if not _is_default(index_name, keys))
            else:
                yield name


def _is_default(name: str, index: Any) -> bool:
    """Whether the name is the server's default name of the index."""
    keys = index["key"] if isinstance(index, dict) and "key" in index else []
    return bool(keys) and name == "_".join(f"{path}_{direction}" for path, direction in keys)
