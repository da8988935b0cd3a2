"""Steps for indexes of Search: a changed one is built beside the former, whose name then moves to it."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.contract.plan import Statement
from keywright.ir.json import Json

from ..schema.search_index import created
from ..schema.search_target import SearchTarget
from ..schema.target import ServerTarget


def create_indexes(server: ServerTarget, store: str) -> Iterator[Statement]:
    """Steps for all indexes of a new server."""
    for index in server.indexes:
        yield from _added(server, index, store)


def change_indexes(before: ServerTarget, after: ServerTarget, store: str) -> Iterator[Statement]:
    """Steps from the indexes of one server to those of another; of a former generation, they stay."""
    old, new = ({index.name: index for index in server.indexes} for server in (before, after))
    for name, index in new.items():
        if name not in old:
            yield from _added(after, index, store)
        elif old[name] != index:
            yield from _changed(after, old[name], index, store)
    for name, index in old.items() if before.generation == after.generation else ():
        if name not in new:
            yield from _removed(after, index, store)


def _added(server: ServerTarget, index: SearchTarget, store: str) -> Iterator[Statement]:
    if index.is_direct:
        create: Json = {"command": _words(created(index.name, index.definition))}
        summary = f'create index "{index.name}"'
        yield Statement(store, server.name, ("indexes", index.name), summary, create, dict(index.definition))
        return
    yield _built(server, index, store)
    yield _named(server, index, (None,), store)


def _changed(server: ServerTarget, old: SearchTarget, index: SearchTarget, store: str) -> Iterator[Statement]:
    if index.is_direct:
        yield from _removed(server, old, store)
        yield from _added(server, index, store)
        return
    yield _built(server, index, store)
    yield _named(server, index, (dict(old.definition),), store, replaced=old.name if old.is_direct else "")
    if not old.is_direct:
        yield _dropped(server, old, store)


def _removed(server: ServerTarget, index: SearchTarget, store: str) -> Iterator[Statement]:
    summary = f'drop index "{index.name}"'
    drop: Json = {"command": ["FT.DROPINDEX", index.built]}
    yield Statement(store, server.name, ("indexes", index.name), summary, drop, None, (dict(index.definition),))


def _built(server: ServerTarget, index: SearchTarget, store: str) -> Statement:
    create: Json = {"command": _words(created(index.built, index.definition))}
    definition = dict(index.definition)
    return Statement(store, server.name, ("built", index.built), f'build index "{index.built}"', create, definition)


def _named(
    server: ServerTarget, index: SearchTarget, before: tuple[Any, ...], store: str, replaced: str = ""
) -> Statement:
    """The step that moves a name; replaced: an index that has the name itself, and is dropped with it."""
    command: dict[str, Json] = {"command": ["FT.ALIASUPDATE", index.name, index.built]}
    if replaced:
        command = {"command": ["FT.ALIASADD", index.name, index.built], "also": ["FT.DROPINDEX", replaced]}
    summary = f'let "{index.name}" name index "{index.built}"'
    return Statement(store, server.name, ("indexes", index.name), summary, command, dict(index.definition), before)


def _dropped(server: ServerTarget, index: SearchTarget, store: str) -> Statement:
    drop: Json = {"command": ["FT.DROPINDEX", index.built]}
    summary, before = f'drop index "{index.built}"', (dict(index.definition),)
    return Statement(store, server.name, ("built", index.built), summary, drop, None, before)


def _words(words: list[str]) -> Json:
    return [*words]
