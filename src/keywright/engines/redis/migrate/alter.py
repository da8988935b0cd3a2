"""Steps from one placed server to another: settings that can change at run time, consumer groups and indexes."""

from collections.abc import Iterator

from keywright.engines.contract.in_place import refuse_rebuilds
from keywright.engines.contract.plan import Statement
from keywright.ir.json import Json
from keywright.record import replace

from ..schema.capabilities import DIRECTIVES, default, is_service
from ..schema.codec import describe
from ..schema.target import ServerTarget, StreamTarget
from .create import create, create_group, is_fixed, managed_users, set_directive, set_user, store
from .diff import CLASSES, PARTS
from .search_indexes import change_indexes


def migrate(before: ServerTarget | None, after: ServerTarget | None) -> tuple[Statement, ...]:
    """See `Engine.migrate`.

    Steps neither create nor remove servers or keys, which belong to the environment and to the data. Settings that are
    read only at the start, and parameters of a service, have no step. A setting that is no longer declared gets the
    server's default, as in a new environment.
    """
    if after is None:
        return ()
    if before is None:
        return create(after)
    old_keys = replace(before, generation=after.generation)  # keys of both generations coexist
    refuse_rebuilds(store(after), PARTS, CLASSES, describe(old_keys), describe(after))
    return (
        *_settings(before, after),
        *_groups(before, after),
        *change_indexes(before, after, store(after)),
        *_users(before, after),
    )


def _settings(before: ServerTarget, after: ServerTarget) -> Iterator[Statement]:
    """Steps for changed settings, each of them also written to the server's file.

    A larger memory limit comes first and any other limit last, so that nothing is evicted by a policy that is about to
    change, or for lack of memory that is about to be added.
    """
    assert after.placement is not None
    if is_service(after.placement.flavour):
        return
    old, flavour, version = dict(before.settings), after.placement.flavour, after.placement.version
    new = {name: default(DIRECTIVES[name], flavour, version) for name in old if name in DIRECTIVES}
    new |= dict(after.settings)
    changed = [(name, value) for name, value in new.items() if old.get(name) != value and not is_fixed(name)]
    for name, value in sorted(
        changed, key=lambda setting: (_rank(setting[0], setting[1], old.get(setting[0], "0")), setting)
    ):
        if name not in old:  # it was not managed, as on a new server
            alone = replace(after, settings=((name, value),), streams=(), indexes=(), users=())
            (statement,) = create(alone)
        else:
            statement = set_directive(after, name, value, (old[name],))
        assert isinstance(statement.native, dict)
        yield replace(statement, native={**statement.native, "then": ["CONFIG", "REWRITE"]})


def _rank(name: str, value: str, old: str) -> int:
    """Sort key of a setting; a memory limit of 0 means unlimited."""
    if name != "maxmemory":
        return 0
    return -1 if int(value) == 0 or 0 < int(old) < int(value) else 1


def _groups(before: ServerTarget, after: ServerTarget) -> Iterator[Statement]:
    old, new = _all_groups(before), _all_groups(after)
    for stream, group in new:
        if (stream.key, group) not in {(stream.key, name) for stream, name in old}:
            yield create_group(after, stream, group)
    for stream, group in old if before.generation == after.generation else ():
        if (stream.key, group) not in {(stream.key, name) for stream, name in new}:
            statement: Json = {"command": ["XGROUP", "DESTROY", stream.key, group]}
            summary = f'destroy consumer group "{group}" of stream "{stream.key}"'
            object = ("streams", stream.key, group)
            yield Statement(store(after), after.name, object, summary, statement, None, ({},))


def _users(before: ServerTarget, after: ServerTarget) -> Iterator[Statement]:
    """Steps for users. A user who goes loses its connections at once."""
    old = {user.name: user for user in before.users}
    new = {user.name: user for user in managed_users(after)}
    for name, user in new.items():
        if old.get(name) != user:
            yield set_user(after, user, (list(old[name].rules) if name in old else None,))
    for name, user in old.items() if after.placement and after.placement.has_users else ():
        if name not in new:
            statement: Json = {"command": ["ACL", "DELUSER", name], "then": ["ACL", "SAVE"]}
            rules: Json = list(user.rules)
            yield Statement(
                store(after), after.name, ("users", name), f'delete user "{name}"', statement, None, (rules,)
            )


def _all_groups(server: ServerTarget) -> list[tuple[StreamTarget, str]]:
    return [(stream, group) for stream in server.streams for group in stream.groups]
