"""Steps that make a Redis server what its target says; each statement is a command."""

from keywright.engines.plan import Step
from keywright.ir.json import Json

from .capabilities import DIRECTIVES, default, is_service
from .target import Placement, ServerTarget, StreamTarget


def store(server: ServerTarget) -> str:
    """See `Engine.store`."""
    return f"redis/{server.name}"


def create(server: ServerTarget) -> tuple[Step, ...]:
    """See `Engine.create`: a setting after the other, the memory limit last, then the consumer groups.

    What is read only when a server starts has no step, nor has any setting of a service, whose parameters are no
    commands: both stand in the artefact.
    """
    assert server.placement is not None
    steps = [] if is_service(server.placement.flavour) else _settings(server, server.placement)
    for stream in server.streams:
        steps += [create_group(server, stream, group) for group in stream.groups]
    return tuple(steps)


def _settings(server: ServerTarget, placement: Placement) -> list[Step]:
    """The limit comes last, so that a full server never evicts by a policy that was about to change."""
    known = [(name, value) for name, value in server.settings if not is_fixed(name)]
    return [_setting(server, placement, *one) for one in sorted(known, key=lambda one: (one[0] == "maxmemory", one))]


def is_fixed(name: str) -> bool:
    """Whether a directive is read only when the server starts."""
    return name in DIRECTIVES and DIRECTIVES[name].is_fixed


def _setting(server: ServerTarget, placement: Placement, name: str, value: str) -> Step:
    """CONFIG SET, from the values that nobody chose only.

    An empty `save` counts among them: it is how throw-away servers are started, and no one can tell it from a choice.
    """
    unset: list[Json] = [None]
    if name in DIRECTIVES:
        unset.append(default(DIRECTIVES[name], placement.flavour, placement.version))
    if name == "save":
        unset.append("")
    return set_directive(server, name, value, tuple(unset))


def set_directive(server: ServerTarget, name: str, value: str, before: tuple[Json, ...]) -> Step:
    """The step that sets a directive which has one of these values."""
    statement: Json = {"command": ["CONFIG", "SET", name, value]}
    summary = f'set "{name}" to {value or "nothing"}'
    return Step(store(server), server.name, ("settings", name), summary, statement, value, before)


def create_group(server: ServerTarget, stream: StreamTarget, group: str) -> Step:
    """The step that makes a group, which begins with the next entry, and an empty stream if there is none."""
    statement: Json = {"command": ["XGROUP", "CREATE", stream.key, group, "$", "MKSTREAM"]}
    summary = f'create consumer group "{group}" of stream "{stream.key}"'
    return Step(store(server), server.name, ("streams", stream.key, group), summary, statement, {})
