"""Resources of a Pulumi program as rules are told of them: plain data, whoever wrote the program."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, NoReturn


class NotKnown(Exception):
    """A rule has asked for a value that is computed only when the stack is up."""

    def __init__(self, path: str) -> None:
        super().__init__(f'"{path}" is not known during preview')
        self.path = path


class Unknown:
    """A value that is not known yet. It can be handed on, and nothing else: asking what it is raises NotKnown."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def __repr__(self) -> str:
        return f"Unknown({self.path!r})"

    def _asked(self, *_: object) -> NoReturn:
        raise NotKnown(self.path)

    __bool__ = __str__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _asked
    __len__ = __iter__ = __contains__ = __getitem__ = __int__ = __float__ = __index__ = __getattr__ = _asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One resource of a program."""

    type: str
    """Its type, such as `aws:dynamodb/table:Table`."""
    urn: str
    """What Pulumi calls it, everywhere; flaws of resources have it as their subject."""
    inputs: Mapping[str, Any] = field(default_factory=dict)
    """What the program says of it, in the provider's camel case; `Unknown` where that is not known yet."""
    is_protected: bool = False
    """Whether Pulumi refuses to delete it."""
    ignores: tuple[str, ...] = ()
    """Inputs whose changes Pulumi passes over."""
    update_seconds: float = 0
    """How long an update may take, where the program says it; else 0."""
    parent: str = ""
    """URN of the component that it is part of; empty where nobody says it."""
    needs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """URNs of the resources that an input is made of, by the input; only rules of stacks are told."""

    @property
    def name(self) -> str:
        """What the program calls it."""
        return self.urn.rpartition("::")[2]

    def value(self, path: str) -> Any:
        """An input by its path, such as `ttl.enabled`; None where nothing is said, NotKnown where none can say yet."""
        found: Any = self.inputs
        for key in path.split("."):
            found = found.get(key) if found is not None else None
            if isinstance(found, Unknown):
                raise NotKnown(found.path)
        return found

    def points_at(self, argument: str, other: "Resource", path: str, form: str = "{}") -> bool:
        """Whether an input names another resource: it is made of it, or is as an input of that.

        path: the input of the other. form: what the name is like, with `{}` for that input and `*` for anything.
        """
        if other.urn in self.needs.get(argument, ()):
            return True
        try:
            return fnmatchcase(str(self.value(argument)), form.format(other.value(path)))
        except NotKnown:
            return False

    def is_known(self, path: str) -> bool:
        """Whether an input can be asked for."""
        try:
            self.value(path)
        except NotKnown:
            return False
        return True
