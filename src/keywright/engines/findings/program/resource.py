"""Resources of any Pulumi program as plain data: the input of rules for programs."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NoReturn

from keywright.record import Record, field


class NotKnown(Exception):
    """A rule has read a value that is known only after the update."""

    def __init__(self, path: str) -> None:
        super().__init__(f'"{path}" is not known during preview')
        self.path = path


class Unknown:
    """A value that is not known during preview. It can be passed on; every other use raises NotKnown."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def __repr__(self) -> str:
        return f"Unknown({self.path!r})"

    def _raise(self, *_: object) -> NoReturn:
        raise NotKnown(self.path)

    __bool__ = __str__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _raise
    __len__ = __iter__ = __contains__ = __getitem__ = __int__ = __float__ = __index__ = __getattr__ = _raise


class ProgramResource(Record, kw_only=True):
    """One resource of a program."""

    type: str
    """Its type, such as `aws:dynamodb/table:Table`."""
    urn: str
    """Its identifier in Pulumi, and the subject of findings about it."""
    inputs: Mapping[str, Any] = field(default_factory=dict)
    """Its inputs, in the provider's camel case; `Unknown` for values that are not known during preview."""
    is_protected: bool = False
    """Whether it has `protect`, so that Pulumi does not delete it."""
    ignores: tuple[str, ...] = ()
    """Inputs in `ignore_changes`."""
    update_seconds: float = 0
    """The declared timeout of an update; 0 if none is declared."""
    parent: str = ""
    """URN of its parent component; empty if unknown."""
    needs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """URNs of the resources that an input depends on, by the input; known to rules of stacks only."""

    @property
    def name(self) -> str:
        """Its name in the program."""
        return self.urn.rpartition("::")[2]

    def value(self, path: str) -> Any:
        """An input by its path, such as `ttl.enabled`; None if it is not set. Raises NotKnown for an unknown value."""
        value: Any = self.inputs
        for key in path.split("."):
            value = value.get(key) if value is not None else None
            if isinstance(value, Unknown):
                raise NotKnown(value.path)
        return value

    def points_at(self, argument: str, other: "ProgramResource", path: str, form: str = "{}") -> bool:
        """Whether an input refers to another resource: it depends on it, or equals an input of it.

        path: the input of the other resource. form: the reference, with `{}` for that input and `*` as a wildcard.
        """
        if other.urn in self.needs.get(argument, ()):
            return True
        try:
            return fnmatchcase(str(self.value(argument)), form.format(other.value(path)))
        except NotKnown:
            return False

    def is_known(self, path: str) -> bool:
        """Whether the value of an input is known."""
        try:
            self.value(path)
        except NotKnown:
            return False
        return True
