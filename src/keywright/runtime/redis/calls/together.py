"""Transactions: all writes of a call at once, or none."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.redis.access.calls import Change, Increase, Put, Remove, Together
from keywright.engines.redis.access.slots import slot
from keywright.engines.redis.target import ServerTarget
from keywright.errors import UsageError
from keywright.runtime.codec import Codec
from keywright.runtime.given import Given

from .changes import increase_ops, remove_ops
from .updates import change_ops
from .writes import MakeOps, Ops, put_ops, run


def together(
    call: Together, planned: Planned[ServerTarget], codecs: Mapping[str, Codec[Any]]
) -> Callable[[Any, Given], None]:
    """A function that carries out all writes of a transaction, or none."""
    makers = [_ops(part, codecs[part.binding.name]) for part in planned.parts]

    def write(client: Any, given: Given) -> None:
        many = [ops for make, calls in zip(makers, given.parts, strict=True) for one in calls for ops in make(one)]
        _check(many, is_cluster=call.is_cluster)
        run(client, many)

    return write


def _ops(part: Planned[ServerTarget], codec: Codec[Any]) -> MakeOps:
    assert isinstance(part.path, AccessPath)
    match part.path.call:
        case Put() as call:
            return put_ops(call, codec)
        case Change() as call:
            return change_ops(call, part.binding)
        case Increase() as call:
            return increase_ops(call, part.binding)
        case Remove() as call:
            return remove_ops(call, part.binding, codec)
        case other:
            raise TypeError(f"{type(other).__name__} is no part of a transaction")


def _check(many: list[Ops], *, is_cluster: bool) -> None:
    """Conditions are judged before anything is written, so none may be about what the same call writes twice."""
    subjects = [(str(words[2]), str(words[3])) for ops in many for words in ops.guards if words[0] in _EXISTENCE]
    twice = next((one for one, times in Counter(subjects).items() if times > 1), None)
    if twice is not None:
        problem = f'"{" ".join(part for part in twice if part)}" is written twice in one transaction'
        raise UsageError(problem, "write each item once: conditions are judged before the first write")
    keys = {str(command[1]) for ops in many for command in ops.commands}
    if is_cluster and len({slot(key) for key in keys}) > 1:
        problem = f"the keys of the transaction are in several slots: {', '.join(sorted(keys))}"
        raise UsageError(problem, "give the same value to the field in the braces of each key")


_EXISTENCE = ("absent", "present")
