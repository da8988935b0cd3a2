"""Steps from one placed server to another: settings that can change while it runs, and consumer groups."""

from collections.abc import Iterator
from dataclasses import replace

from keywright.engines.in_place import refuse_rebuilds
from keywright.engines.plan import Step
from keywright.ir.json import Json

from .capabilities import DIRECTIVES, default, is_service
from .codec import describe
from .diff import CLASSES, PARTS
from .migrate import create, create_group, is_fixed, set_directive, store
from .target import ServerTarget, StreamTarget


def migrate(before: ServerTarget | None, after: ServerTarget | None) -> tuple[Step, ...]:
    """See `Engine.migrate`.

    A server itself is neither made nor removed, and no key of it is: that is the environment's, and the data's. What
    is read only when it starts, and the parameters of a service, have no step. A setting that nobody names any longer
    gets the value that a server has of itself, as in an environment that is made anew.
    """
    if after is None:
        return ()
    if before is None:
        return create(after)
    refuse_rebuilds(store(after), PARTS, CLASSES, describe(before), describe(after))
    return (*_settings(before, after), *_groups(before, after))


def _settings(before: ServerTarget, after: ServerTarget) -> Iterator[Step]:
    """One after the other and written to the server's file; a larger memory limit first, any other last, so that
    nothing is evicted by a policy that was about to change or for want of memory that was about to come.
    """
    assert after.placement is not None
    if is_service(after.placement.flavour):
        return
    old, flavour, version = dict(before.settings), after.placement.flavour, after.placement.version
    new = {name: default(DIRECTIVES[name], flavour, version) for name in old if name in DIRECTIVES}
    new |= dict(after.settings)
    changed = [(name, value) for name, value in new.items() if old.get(name) != value and not is_fixed(name)]
    for name, value in sorted(changed, key=lambda one: (_rank(one[0], one[1], old.get(one[0], "0")), one)):
        if name not in old:  # it was nobody's: as when the server is new
            (step,) = create(replace(after, settings=((name, value),), streams=()))
        else:
            step = set_directive(after, name, value, (old[name],))
        assert isinstance(step.statement, dict)
        yield replace(step, statement={**step.statement, "then": ["CONFIG", "REWRITE"]})


def _rank(name: str, value: str, old: str) -> int:
    """The place of a setting among the others; a memory limit of 0 is none."""
    if name != "maxmemory":
        return 0
    return -1 if int(value) == 0 or 0 < int(old) < int(value) else 1


def _groups(before: ServerTarget, after: ServerTarget) -> Iterator[Step]:
    old, new = _all_groups(before), _all_groups(after)
    for stream, group in new:
        if (stream.key, group) not in {(one.key, name) for one, name in old}:
            yield create_group(after, stream, group)
    for stream, group in old:
        if (stream.key, group) not in {(one.key, name) for one, name in new}:
            statement: Json = {"command": ["XGROUP", "DESTROY", stream.key, group]}
            summary = f'destroy consumer group "{group}" of stream "{stream.key}"'
            object = ("streams", stream.key, group)
            yield Step(store(after), after.name, object, summary, statement, None, ({},))


def _all_groups(server: ServerTarget) -> list[tuple[StreamTarget, str]]:
    return [(stream, group) for stream in server.streams for group in stream.groups]
