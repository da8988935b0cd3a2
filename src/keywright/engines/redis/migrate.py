"""Steps that make a Redis server what its target says; each statement is a command."""

from collections.abc import Mapping

from keywright.engines import plan
from keywright.engines.plan import State, Step
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
        steps += [_group(server, stream, group) for group in stream.groups]
    return tuple(steps)


def probe(step: Step, description: Mapping[str, Json] | None) -> State:
    """See `Engine.probe`: a setting that still is what nobody chose is not there yet; any other is somebody's."""
    state = plan.probe(step, description)
    if state is State.CONFLICT and step.object[0] == "settings":
        native, statement = (description or {})["native"], step.statement
        assert isinstance(native, dict)
        assert isinstance(statement, dict)
        settings, unset = native["settings"], statement["from"]
        assert isinstance(settings, dict)
        assert isinstance(unset, list)
        return State.ABSENT if settings[step.object[1]] in unset else State.CONFLICT
    return state


def _settings(server: ServerTarget, placement: Placement) -> list[Step]:
    """The limit comes last, so that a full server never evicts by a policy that was about to change."""
    known = [(name, value) for name, value in server.settings if name not in DIRECTIVES or not _is_fixed(name)]
    return [_setting(server, placement, *one) for one in sorted(known, key=lambda one: (one[0] == "maxmemory", one))]


def _is_fixed(name: str) -> bool:
    return DIRECTIVES[name].is_fixed


def _setting(server: ServerTarget, placement: Placement, name: str, value: str) -> Step:
    """CONFIG SET, from the values that nobody chose only.

    An empty `save` counts among them: it is how throw-away servers are started, and no one can tell it from a choice.
    """
    unset: list[Json] = []
    if name in DIRECTIVES:
        unset.append(default(DIRECTIVES[name], placement.flavour, placement.version))
    if name == "save":
        unset.append("")
    statement: Json = {"command": ["CONFIG", "SET", name, value], "from": unset}
    shown = value or "nothing"
    return Step(store(server), server.name, ("settings", name), f'set "{name}" to {shown}', statement, value)


def _group(server: ServerTarget, stream: StreamTarget, group: str) -> Step:
    """A group that begins with the next entry, and an empty stream if there is none."""
    statement: Json = {"command": ["XGROUP", "CREATE", stream.key, group, "$", "MKSTREAM"]}
    summary = f'create consumer group "{group}" of stream "{stream.key}"'
    return Step(store(server), server.name, ("streams", stream.key, group), summary, statement, {})
