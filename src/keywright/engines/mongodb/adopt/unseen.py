"""Fields that only indexes name: those of empty collections, and those that no sampled document has."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, count

from keywright.engines.contract.naming import class_name, field_name
from keywright.engines.infer import ClassNames
from keywright.ir.attribute import Attribute, Scalar, Struct, Type

from ..schema.fields import ID
from ..schema.target import CollectionTarget
from .indexes import paths_of

Attributes = tuple[Attribute, ...]


def with_index_paths(attributes: Attributes, target: CollectionTarget, owner: str, names: ClassNames) -> Attributes:
    """Fields with those that only indexes name: optional, of any type, with the embedded models that lead to them.

    owner: the class of the collection. names: the classes of the same file.
    """
    paths = {path for index in target.indexes for path in paths_of(index)}
    if target.series is not None:
        paths |= {path for path in (target.series.time, target.series.meta) if path}
    sampled = {attribute.stored for attribute in attributes} | {ID}
    unseen = {path for path in paths if path.partition(".")[0] not in sampled and _is_named(path)}
    return _Unseen(target, owner, names).added(attributes, unseen)


def _is_named(path: str) -> bool:
    """Whether a path has names only, no positions in lists, whose fields a model cannot name."""
    return all(part and not part.isdigit() for part in path.split("."))


class _Unseen:
    """The fields of one collection that are added."""

    def __init__(self, target: CollectionTarget, owner: str, names: ClassNames) -> None:
        self._target, self._owner, self._names = target, owner, names

    def added(self, attributes: Attributes, paths: Iterable[str], above: str = "") -> Attributes:
        """Attributes with those at these paths. above: the path of their model, with a dot."""
        inside = defaultdict[str, set[str]](set)
        for path in paths:
            first, _, rest = path.partition(".")
            inside[first] |= {rest} if rest else set()
        for stored in sorted(inside):
            name = field_name(stored, {attribute.name for attribute in attributes})
            attributes = (*attributes, self._attribute(name, stored, f"{above}{stored}", inside[stored]))
        return attributes

    def _attribute(self, name: str, stored: str, path: str, inside: set[str]) -> Attribute:
        series = self._target.series
        if series is not None and path == series.time:
            return Attribute(name, stored, stored, Scalar("datetime"))
        kind: Type = self._struct(stored, path, inside) if inside else self._scalar(path)
        return Attribute(name, stored, stored, kind, True, False, True)

    def _scalar(self, path: str) -> Scalar:
        expires = (index.keys[0][0] for index in self._target.indexes if index.expire_after_seconds is not None)
        return Scalar("datetime" if path in expires else "json")

    def _struct(self, stored: str, path: str, inside: set[str]) -> Struct:
        attributes = self.added((), inside, f"{path}.")
        return next(Struct(name, attributes) for name in self._classes(stored) if self._names.claim(name, attributes))

    def _classes(self, stored: str) -> Iterator[str]:
        own = class_name(stored)
        return chain([own, f"{self._owner}{own}"], (f"{self._owner}{own}{number}" for number in count(2)))
