"""What all patterns share: how often, how fast, and how they choose their items."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from keywright.errors import did_you_mean

from .complete import check_model
from .declared import Declared, subject
from .fields import class_of, is_list, is_model, is_text, resolve, store_of
from .judgement import Ignore
from .names import Names, is_rate, names
from .predicates import Conditions
from .store import Bound

if TYPE_CHECKING:
    from pydantic import BaseModel

M = TypeVar("M", bound="BaseModel")


class Load(Declared):
    """How often something is done, and how fast it must be."""

    rate: str | None = None
    """Average rate, such as 50k/day or 100/s."""
    peak: str | None = None
    """Highest rate, where it differs."""
    hot_key: str | None = None
    """Highest rate on one single key, where that is known."""
    p99_ms: float | None = None
    """Milliseconds within which 99 of 100 calls must be done."""
    unserved: str | None = None
    """Why it is right that no key or index serves it."""
    ignores: list[Ignore] = []
    """Findings accepted here."""

    def check(self) -> None:
        """See `Declared.check`."""
        for name in ("rate", "peak", "hot_key"):
            text = getattr(self, name)
            if isinstance(text, str) and not is_rate(text):
                self.wrong(
                    "E0604",
                    f'{name}="{text}" is not a rate',
                    "write a number, k, M or G if wanted, and /s, /min, /h, /day or /month",
                )


class Pattern(Load, Generic[M]):
    """One way in which one entity is read or written; its name is the variable's."""

    model: type[M] | Bound[M] = subject(kw_only=False)
    """The entity, or its binding to another store."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        cls = class_of(self.model)
        name = cls.__name__
        if not is_model(cls):
            self.wrong("E0606", f'"{name}" is not a Pydantic model', f"write class {name}(BaseModel): with a __store__")
            return
        store = store_of(self.model)
        if store is None:
            self.wrong("E0602", f'"{name}" has no __store__ of its own', _storing(cls))
        if store is None or store.is_incomplete:
            return
        check_model(self.model)
        for argument, path in self.fields_named():
            try:
                resolve(self.model, path)
            except KeyError as missing:
                problem = f'{argument} names the unknown field "{path}" of {name}'
                self.wrong("E0601", problem, did_you_mean(*missing.args))

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """(argument, field name) for every field that the pattern names."""
        yield from ()

    def kind_of(self, path: str) -> Any:
        """The annotation of a field; Any if there is no such field, or none yet, or nothing is known of the model."""
        try:
            return resolve(self.model, path) if is_model(class_of(self.model)) else Any
        except KeyError:
            return Any

    def needs(self, argument: str, path: str, fits: Callable[[Any], bool], wanted: str, instead: str) -> None:
        """Report a field that the operator in `argument` does not suit."""
        if not fits(self.kind_of(path)):
            self.wrong("E0603", f'{argument}="{path}" needs {wanted}', instead)

    def named_by(self, *arguments: str) -> Iterator[tuple[str, str]]:
        """(argument, field name) for arguments that hold one name or a list of names."""
        for argument in arguments:
            yield from ((argument, name) for name in names(getattr(self, argument)))


def _storing(cls: "type[BaseModel]") -> str:
    """How to store a class that is not stored."""
    if parent := next((base for base in cls.__mro__[1:] if "__store__" in vars(base)), None):
        return f'a subclass does not inherit the store of "{parent.__name__}": give it one, or use kw.bind(...)'
    return "give the class one: __store__: ClassVar = kw.Item(...) or another store, or use kw.bind(...)"


class ByKey(Pattern[M]):
    """A pattern that chooses its items by equality."""

    eq: Names = []
    """Fields that equal a given value; by default the primary key."""
    where: Conditions = {}
    """Conditions with constants; for a write, what must be true of the item, or it fails and changes nothing."""

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Pattern.fields_named`."""
        yield from self.named_by("eq", "where")


class Selecting(ByKey[M]):
    """A pattern that chooses its items by any condition; each names fields whose values the caller gives."""

    one_of: Names = []
    """Fields that equal one of several given values."""
    range: str | None = None
    """A field between two given values, or beyond one."""
    span: timedelta | None = None
    """How much time a range usually covers: tells how many time buckets it asks."""
    prefix: str | None = None
    """A text field that begins with a given text."""
    contains: str | None = None
    """A list field that holds a given value."""
    all_of: str | None = None
    """A list field that holds all given values, and perhaps more."""
    exactly: str | None = None
    """A list field that holds the given values and no others, in any order."""
    search: Names = []
    """Text fields searched for given words."""
    near: str | None = None
    """A place field near a given point."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        for argument, name in self.named_by("contains", "all_of", "exactly"):
            self.needs(argument, name, is_list, "a list field", f'for a single value write eq="{name}"')
        for argument, name in self.named_by("prefix", "search"):
            self.needs(argument, name, is_text, "a text field", f'for other values write eq="{name}" or range="{name}"')

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Pattern.fields_named`."""
        yield from super().fields_named()
        yield from self.named_by("one_of", "range", "prefix", "contains", "all_of", "exactly", "search", "near")
