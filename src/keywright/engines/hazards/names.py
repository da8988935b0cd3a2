"""NM: names that break the convention which the others of their kind follow; there is none where they differ."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .context import Context, Hazard
from .effect import Effect
from .values import is_field, stored
from .version import Snapshot

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


def style(name: str) -> str:
    """How a name is written; empty for one that is written in no known way."""
    return next((style for style, pattern in _STYLES.items() if re.fullmatch(pattern, name)), "")


def convention(names: Iterable[str], by: Callable[[str], str]) -> str:
    """The style that nearly all names share; empty where there are too few, or they differ.

    One word in lower case fits every style but those with capitals, so it counts only where nothing else does.
    """
    styles = [found for name in names if (found := by(name))]
    told = [one for one in styles if one != _FITS_ALL] or styles
    if len(told) < _ENOUGH:
        told = styles if len(styles) >= _ENOUGH and set(told) <= {_FITS_ALL} else []
    if not told:
        return ""
    most, count = Counter(told).most_common(1)[0]
    return most if count >= _SHARE * len(told) else ""


def stores(context: Context) -> Iterator[Hazard]:
    """NM101: a database, keyspace or server."""
    made = (one for one in context.effects if one.kind == "AddTable" and len(one.path) == 1)
    found = ((one, one.name) for one in made if one.engine != "dynamodb")
    yield from _judged(context, found, lambda side, _: _stores(side))


def tables(context: Context) -> Iterator[Hazard]:
    """NM102: a table or collection."""
    made = (one for one in context.effects if one.kind == "AddTable")
    found = ((one, one.name) for one in made if one.engine == "dynamodb" or len(one.path) == 4)
    yield from _judged(context, found, _tables)


def attributes(context: Context) -> Iterator[Hazard]:
    """NM103: an attribute or column, by its name in the store."""
    made = (one for one in context.of("AddField") if is_field(one))
    found = ((one, stored(one.name, one.change.after).rpartition(".")[2]) for one in made)
    yield from _judged(context, found, _attributes)


def indexes(context: Context) -> Iterator[Hazard]:
    """NM104: an index, unless the server's own way of naming gave it its name."""
    made = context.of("AddIndex")
    found = ((one, one.name) for one in made if not _is_default(one.name, one.change.after))
    yield from _judged(context, found, _indexes)


def prefixes(context: Context) -> Iterator[Hazard]:
    """NM105: what the keys of a Redis entity begin with, by the character that ends it."""
    for one in context.effects:
        value = one.change.after
        if one.kind == "AddEntity" and one.engine == "redis" and isinstance(value, dict):
            prefix = _prefix(value)
            common = convention(_prefixes(context.before, one.store), _end)
            if prefix and common and _end(prefix) != common:
                problem = (
                    f'keys of {one.entity} begin with "{prefix}", where most others have "{common}" behind the word'
                )
                yield context.hazard(one, problem, f'write "{prefix.rstrip(":/#-._|")}{common}"')


def _judged(
    context: Context, found: Iterable[tuple[Effect, str]], others: Callable[[Snapshot, str], Iterable[str]]
) -> Iterator[Hazard]:
    """Those of (effect, name) that are not written as the others in their store are."""
    known: dict[str, str] = {}
    for one, name in found:
        if one.store not in known:
            known[one.store] = convention(others(context.before, one.store), style)
        common = known[one.store]
        fits = style(name) == common or (style(name) == _FITS_ALL and common not in ("PascalCase", "UPPER_CASE"))
        if common and not fits:
            problem = f'"{name}" is not written in {common}, as most others are'
            yield context.hazard(one, problem, "write it like the others, or say under ignore: why not")


def _stores(side: Snapshot) -> Iterator[str]:
    return (key for store, targets in side.stores.items() for key in targets if "/" in store)


def _tables(side: Snapshot, store: str) -> Iterator[str]:
    for key, target in side.stores.get(store, {}).items():
        if store == "dynamodb":
            yield key
        for part in ("collections", "tables"):
            yield from target["native"].get(part, {})


def _attributes(side: Snapshot, store: str) -> Iterator[str]:
    for target in side.stores.get(store, {}).values():
        for entity in target["shape"].values():
            yield from (stored(name, field).rpartition(".")[2] for name, field in entity["fields"].items())


def _indexes(side: Snapshot, store: str) -> Iterator[str]:
    for target in side.stores.get(store, {}).values():
        for name, index in target["native"].get("indexes", {}).items():
            if store.startswith("mongodb/"):
                yield from (each for each, one in index.items() if not _is_default(each, one))
            else:
                yield name


def _is_default(name: str, index: Any) -> bool:
    """Whether MongoDB would have given the index this name."""
    keys = index["key"] if isinstance(index, dict) and "key" in index else []
    return bool(keys) and name == "_".join(f"{path}_{direction}" for path, direction in keys)


def _prefixes(side: Snapshot, store: str) -> list[str]:
    return [_prefix(one) for target in side.stores.get(store, {}).values() for one in target["shape"].values()]


def _prefix(entity: Any) -> str:
    keys = entity.get("key")
    text = str(keys.get("key", "")) if isinstance(keys, dict) else ""
    return text.partition("{")[0]


def _end(prefix: str) -> str:
    return prefix[-1:] if prefix and not prefix[-1].isalnum() else ""
