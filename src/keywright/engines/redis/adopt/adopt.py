"""Servers as declarations."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from keywright.engines.contract.adoption import Adopted, NotExpressed, Sample
from keywright.engines.infer import ClassNames
from keywright.errors import NOWHERE
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.key_texts import can_share, is_ambiguous
from keywright.ir.text import counted

from ..declare.options import Structure
from ..declare.server import RedisServer
from ..declare.settings import RedisEnvironment
from ..schema.check import check
from ..schema.layout import constant_key, dead_letters, delayed, key_pieces
from ..schema.target import ServerTarget
from ..schema.user_file import MIGRATOR, REPLICA
from .contents import NoWord
from .families import Family, Value, families_of
from .names import name_of
from .sampled_keys import SampledShape
from .searches import with_indexes
from .server import server_of
from .siblings import with_siblings
from .structures import AdoptedFamily, entity_of
from .waiting import Waiting, waiting_of

MOST = 300
"""Most entities of a server."""


def adopt(target: ServerTarget, samples: Mapping[str, Sample], environment: RedisEnvironment) -> Adopted:
    """See `Adoption.adopt`: settings from the server, entities from the sampled keys of each family."""
    spec, missing = server_of(target, environment)
    physical = Physical("redis", spec.name, spec.name, spec, NOWHERE)
    shapes = [shape for sample in samples.values() for shape in sample.items]
    reader = _Reader(physical, target)
    bindings, unfit = with_indexes(tuple(reader.bindings(shapes)), target)
    design = Design(tuple(binding.entity for binding in bindings), (physical,), bindings)
    keys = sorted(reader.not_expressed, key=lambda part: part.object)
    not_expressed = (*missing, *keys, *unfit, *_other_groups(target, bindings), *_users(target))
    return Adopted(design, reader.comments, not_expressed, has_settings=True)


class _Reader:
    """Reads the families of one server."""

    def __init__(self, physical: Physical[RedisServer], target: ServerTarget) -> None:
        self._physical = physical
        self._waiting: dict[bytes, Waiting] = {}
        self._groups = {stream.key.encode(): stream.groups for stream in target.streams}
        self.not_expressed: list[NotExpressed] = []
        self.comments: dict[tuple[str, str], str] = {}
        self._classes = ClassNames(())

    def bindings(self, shapes: Sequence[SampledShape]) -> Iterator[Binding[Structure]]:
        """The entities in the order of their keys, without those that no declaration describes."""
        self._waiting = waiting_of(shapes)
        own = [shape for shape in _without_letters(shapes) if not self._is_waiting(shape)]
        families = sorted(families_of(own), key=lambda family: -family.count)
        accepted: list[AdoptedFamily] = []
        for adopted in self._candidates(families):
            if (problem := _problem(adopted, accepted)) is not None:
                self._miss(adopted.family, problem)
            elif len(accepted) >= MOST:
                self._miss(adopted.family, "a server has too many of them")
            else:
                accepted.append(adopted)
        for adopted in sorted(accepted, key=lambda adopted: adopted.binding.spec.key):
            self.comments |= adopted.comments
            yield adopted.binding

    def _candidates(self, families: Sequence[Family]) -> list[AdoptedFamily]:
        """The entities, with patterns of texts where keys of two families could be the same without them."""
        apart: set[str] = set()
        while True:  # at most once for each family that siblings could be
            joined = with_siblings(families, apart)
            candidates = self._read(joined)
            shared = {
                candidate.family.shape for candidate in candidates if candidate.binding.name in _unclear(candidates)
            }
            merged = {family.shape for family in joined if any(_choices(part) for part in family.parts)}
            if not shared & merged:
                return self._narrowed(candidates)
            apart |= shared & merged

    def _read(self, families: Sequence[Family]) -> list[AdoptedFamily]:
        """The entities of families, without those that have no word."""
        names = _names(families)
        self.not_expressed.clear()
        self._classes = ClassNames(names)
        read = ((family, self._entity(family, name)) for name, family in zip(names, families, strict=True))
        return [adopted for family, adopted in read if adopted]

    def _narrowed(self, candidates: list[AdoptedFamily]) -> list[AdoptedFamily]:
        """The entities, with patterns of texts and numbers where keys of two could be the same."""
        for strictness in (1, 2):
            unclear = _unclear(candidates)
            candidates = [
                self._entity(adopted.family, adopted.binding.name, strictness) or adopted
                if adopted.binding.name in unclear
                else adopted
                for adopted in candidates
            ]
        return candidates

    def _entity(self, family: Family, name: str, strictness: int = 0) -> AdoptedFamily | None:
        groups = self._groups_of(family)
        try:
            waiting = self._waiting.get(family.keys[0].key, ()) if len(family.keys) == 1 else ()
            return entity_of(family, name, self._physical, self._classes, groups, strictness, waiting)
        except NoWord as error:
            self._miss(family, str(error))
            return None

    def _groups_of(self, family: Family) -> tuple[str, ...]:
        """The groups of a family's streams, if all sampled ones have the same."""
        groups = {self._groups.get(key.key, ()) for key in family.keys} if family.type == "stream" else set()
        return groups.pop() if len(groups) == 1 else ()

    def _is_waiting(self, shape: SampledShape) -> bool:
        """Whether keys are entries that wait beside streams with groups."""
        waiting = {delayed(name.decode()).encode() for name in self._waiting if name in self._groups}
        return bool(shape.keys) and all(key.key in waiting for key in shape.keys)

    def _miss(self, family: Family, reason: str) -> None:
        noun = _TYPES.get(family.type, "key")
        count = counted(family.count, noun, "hashes" if noun == "hash" else "", spec=",")
        self.not_expressed.append(NotExpressed(f"keys/{family.shape}", f"{count}: {reason}"))


_TYPES = {
    "string": "string", "hash": "hash", "list": "list", "set": "set", "zset": "sorted set", "stream": "stream",
    "ReJSON-RL": "JSON document",
}  # fmt: skip


def _unclear(candidates: Sequence[AdoptedFamily]) -> set[str]:
    """Names of entities whose keys could be the same as others, or whose values cannot be told apart."""
    pieces = {adopted.binding.name: key_pieces(adopted.binding) for adopted in candidates}
    unclear = {name for name, own in pieces.items() if is_ambiguous(own)}
    for (first, own), (second, other) in combinations(pieces.items(), 2):
        if can_share(own, other):
            unclear |= {first, second}
    return unclear


def _choices(part: str | Value) -> tuple[str, ...]:
    return part.choices if isinstance(part, Value) else ()


def _without_letters(shapes: Sequence[SampledShape]) -> Iterator[SampledShape]:
    """The shapes without the dead letters of streams, which belong to their stream."""
    for shape in shapes:
        is_dead = shape.shape[0] == "stream" and shape.shape[1] == "{" and shape.shape[-3:] == ("}", ":", "dead")
        if not is_dead:
            yield shape


def _names(families: Sequence[Family]) -> list[str]:
    """A class name for each family, from the words of its keys."""
    names: list[str] = []
    for family in families:
        names.append(name_of(family, _TYPES.get(family.type, "key"), names))
    return names


def _problem(adopted: AdoptedFamily, accepted: Sequence[AdoptedFamily]) -> str | None:
    """The reason why an entity is rejected beside others."""
    binding = adopted.binding
    design: Design[Any, Any] = Design((binding.entity,), (binding.physical,), (binding,))
    if (rejection := next(check(design), None)) is not None:
        return rejection.problem
    own = key_pieces(binding)
    if is_ambiguous(own):
        return "the values in their keys cannot be told apart"
    if not any(isinstance(part, Value) for part in adopted.family.parts) and constant_key(binding) is None:
        return "their keys contain a brace"
    same = next((other.binding.name for other in accepted if can_share(own, key_pieces(other.binding))), None)
    return f"their keys could be the same as those of {same}" if same else None


def _other_groups(target: ServerTarget, bindings: Sequence[Binding[Structure]]) -> Iterator[NotExpressed]:
    """Streams with groups that belong to no stream of the declarations."""
    declared = {constant_key(binding) for binding in bindings}
    others = [stream for stream in target.streams if stream.key not in declared and not _is_dead(stream.key)]
    if others:
        yield NotExpressed("streams", f"{counted(len(others), 'stream')} with groups whose keys contain values")


def _users(target: ServerTarget) -> Iterator[NotExpressed]:
    """The users of services, without their names, which may be those of people: rights follow from patterns."""
    users = [user for user in target.users if user.name not in (MIGRATOR, REPLICA)]
    if users:
        reason = f"{counted(len(users), 'user')} with rights of their own: write used_by= to the patterns of each"
        yield NotExpressed("users", reason)


def _is_dead(key: str) -> bool:
    return key.startswith("{") and key == dead_letters(key[1:].partition("}")[0])


def is_same(binding: Binding[Structure], declared: Binding[Structure]) -> bool:
    """See `Adoption.is_same`."""
    return can_share(key_pieces(binding), key_pieces(declared))
