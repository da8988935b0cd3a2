"""The options that patterns share: rate, latency target, and the selection of items."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from keywright.errors import NOWHERE, DeclarationError, Place, report

from .checks.complete import check_model
from .collation import Collation
from .declared import Declared, subject
from .fields import class_of, field_help, is_list, is_model, is_text, resolve, store_of
from .locate import field_place
from .names import Names, is_rate, names, ordered
from .predicates import FILTERS, Filters, Length, StartsWith
from .store import Bound
from .suppression import Ignore

if TYPE_CHECKING:
    from pydantic import BaseModel

M = TypeVar("M", bound="BaseModel")


class TimedPattern(Declared):
    """The rate and the latency target of an operation."""

    rate: str | None = None
    """Average rate, such as 50k/day or 100/s."""
    peak: str | None = None
    """Highest rate, if it differs."""
    hot_key: str | None = None
    """Highest rate on one key, if known."""
    p99_ms: float | None = None
    """Milliseconds within which 99 of 100 calls must finish."""
    unserved: str | None = None
    """The reason why no key or index needs to serve it."""
    used_by: Names = []
    """The services that call it; on a Redis server each of them has a user with the rights of its patterns."""
    ignores: list[Ignore] = []
    """Ignored findings."""

    def check(self) -> None:
        """See `Declared.check`."""
        for name in ("rate", "peak", "hot_key"):
            text = getattr(self, name)
            if isinstance(text, str) and not is_rate(text):
                self.wrong(
                    "E0604",
                    f'{name}="{text}" is not a rate',
                    "write a number, an optional k, M or G, and /s, /min, /h, /day or /month",
                )


class DeclaredPattern(TimedPattern, Generic[M]):
    """One way in which one entity is read or written; its name is the name of its variable."""

    model: type[M] | Bound[M] = subject(kw_only=False)
    """The entity, or its binding to another store."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        cls = class_of(self.model)
        name = cls.__name__
        if not is_model(cls):
            self.__dict__["__rejected__"] = True
            report(no_model(cls, self.at))
            return
        store = store_of(self.model)
        if store is None:
            self.wrong("E0602", f'"{name}" has no __store__ of its own', _store_help(cls))
        if store is None or store.is_incomplete:
            return
        check_model(self.model)
        for argument, path in self.fields_named():
            try:
                resolve(self.model, path)
            except KeyError as missing:
                if path in store.unknown_fields:
                    continue  # one mistake, which the store reports
                problem = f'{argument} names the unknown field "{path}" of {name}'
                self.wrong("E0601", problem, field_help(*missing.args))

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """(argument, field name) of every field in the pattern's arguments."""
        yield from ()

    def annotation_of(self, path: str) -> Any:
        """The annotation of a field; Any if there is no such field, or it is not defined yet."""
        try:
            return resolve(self.model, path) if is_model(class_of(self.model)) else Any
        except KeyError:
            return Any

    def needs(self, argument: str, path: str, is_suitable: Callable[[Any], bool], expected: str, help: str) -> None:
        """Report a field with a type that the argument does not accept."""
        if not is_suitable(self.annotation_of(path)):
            self.wrong("E0603", f'{argument}="{path}" needs {expected}', help)

    def named_by(self, *arguments: str) -> Iterator[tuple[str, str]]:
        """(argument, field name) of arguments with one name or a list of names."""
        for argument in arguments:
            yield from ((argument, name) for name in names(getattr(self, argument)))


def _store_help(cls: "type[BaseModel]") -> str:
    """The help line for a class without a store."""
    if parent := next((base for base in cls.__mro__[1:] if "__store__" in vars(base)), None):
        return f'a subclass does not inherit the store of "{parent.__name__}": declare a __store__, or use kw.bind(...)'
    return "declare one in the class: __store__: ClassVar = kw.Item(...) or another store, or use kw.bind(...)"


def no_model(cls: type, at: Place = NOWHERE) -> DeclarationError:
    """The error for a class that is not a Pydantic model: at the class if it has a store, else at the declaration."""
    name = cls.__name__
    if "__store__" in vars(cls):
        help = f"write class {name}(BaseModel):, with BaseModel from pydantic"
        problem = "a class with a __store__ is not a Pydantic model"
        return DeclarationError("E0517", problem, field_place(cls, "__store__"), help, name)
    help = f"write class {name}(BaseModel): with a __store__"
    return DeclarationError("E0606", f'"{name}" is not a Pydantic model', at, help)


class ByKey(DeclaredPattern[M]):
    """A pattern that chooses its items by equality."""

    filters = False
    """Whether it filters what it reads; no option."""

    eq: Names = []
    """Fields that equal a given value; by default the primary key."""
    where: Filters = {}
    """Conditions with constants. A write whose item does not meet them fails and changes nothing."""

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `DeclaredPattern.fields_named`."""
        yield from self.named_by("eq", "where")

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        self.check_filters("where", self.where)

    def check_filters(self, argument: str, where: Filters) -> None:
        """Report conditions that no filter of the engine or of this kind of pattern can test."""
        store = store_of(self.model)
        if store is None or store.is_incomplete:
            return
        for path, test in where.items():
            if not isinstance(test, FILTERS):
                continue
            word, place = f"kw.{type(test).__name__}", f'{argument}["{path}"]'
            if not self.filters:
                problem = f"{word} in {place} of a kw.{type(self).__name__}, which takes other conditions"
                self.wrong("E0615", problem, "test the value before the call, or a field that says so")
            elif not store.physical.has_filters:
                problem = f"{word} in {place} has no filter in {store.physical.engine}"
                self.wrong("E0615", problem, "let the caller pass the value: contains=, prefix= or range=")
            elif isinstance(test, StartsWith):
                self.needs(place, path, is_text, "a text field", "for other values write kw.AtLeast and kw.Below")
            elif isinstance(test, Length):
                self.needs(place, path, is_list, "a list field", "only lists have elements")
            else:
                self.needs(
                    place, path, _may_contain, "a list or a text", f'for a single value write {{"{path}": value}}'
                )


class Comparing(ByKey[M]):
    """A pattern that can compare texts by the rules of a language."""

    collation: Collation | None = None
    """Rules for comparing and ordering texts, for which an index needs the same rules. By default the store's rules."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        store = store_of(self.model)
        if self.collation is None or store is None or store.is_incomplete:
            return
        if not store.physical.has_collations:
            problem = f"collation= has no effect in {store.physical.engine}, which compares texts byte by byte"
            self.wrong("E0610", problem, "store the lower-case text in a separate field, and query that field")
        for argument in ("prefix", "search"):
            if names(getattr(self, argument, None) or []):
                problem = f"collation= has no effect on {argument}=, for which stores have no rules of a language"
                self.wrong("E0610", problem, f"remove collation= or {argument}=")
        compared = list(self._compared())
        if compared and not any(_may_be_text(self.annotation_of(path)) for path in compared):
            problem = "collation= has no effect, because the pattern compares no text"
            self.wrong("E0610", problem, "remove it")

    def _compared(self) -> Iterator[str]:
        """Every field in a comparison or in the order."""
        arguments = ("eq", "where", "one_of", "range", "contains", "all_of", "exactly")
        yield from (
            name for _, name in self.named_by(*(argument for argument in arguments if getattr(self, argument, None)))
        )
        yield from ordered(getattr(self, "order", []))


def _may_contain(kind: Any) -> bool:
    return is_list(kind) or is_text(kind)


def _may_be_text(kind: Any) -> bool:
    return kind is Any or is_text(kind) or is_list(kind) or is_model(kind)


class Selecting(ByKey[M]):
    """A pattern that chooses its items by any condition; the caller passes the values of the fields."""

    filters = True

    one_of: Names = []
    """Fields that equal one of several given values."""
    range: str | None = None
    """A field between two given values, or beyond one; both ends are included."""
    excludes: Literal["first", "last", "both"] | None = None
    """The ends of the range that are not included: "first" means after the first value, "last" before the last one."""
    span: timedelta | None = None
    """The usual duration of a range, which determines the number of time buckets to query."""
    prefix: str | None = None
    """A text field that begins with a given text."""
    contains: str | None = None
    """A list field that contains a given value."""
    all_of: str | None = None
    """A list field that contains all given values, and perhaps more."""
    exactly: str | None = None
    """A list field that contains exactly the given values, in any order."""
    search: Names = []
    """Text fields searched for given words."""
    any_of: list[Filters] = []
    """Alternatives, of which an item meets one or more in addition to the other conditions."""
    near: str | None = None
    """A place field near a given point, or a vector whose nearest ones are read, approximately."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        if self.excludes is not None and self.range is None:
            problem = f'excludes="{self.excludes}" has no range'
            self.wrong("E0612", problem, 'name the field of the range: range="created_at", or remove excludes=')
        self._check_alternatives()
        for argument, name in self.named_by("contains", "all_of", "exactly"):
            self.needs(argument, name, is_list, "a list field", f'for a single value write eq="{name}"')
        for argument, name in self.named_by("prefix", "search"):
            self.needs(argument, name, is_text, "a text field", f'for other values write eq="{name}" or range="{name}"')

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `DeclaredPattern.fields_named`."""
        yield from super().fields_named()
        yield from self.named_by("one_of", "range", "prefix", "contains", "all_of", "exactly", "search", "near")
        yield from (("any_of", name) for where in self.any_of for name in where)

    def _check_alternatives(self) -> None:
        store = store_of(self.model)
        if not self.any_of or store is None or store.is_incomplete:
            return
        if not store.physical.has_filters:
            problem = f"any_of= has no filter in {store.physical.engine}"
            self.wrong("E0615", problem, "declare a pattern for each alternative, or kw.OneOf for values of one field")
        elif len(self.any_of) == 1 or not all(self.any_of):
            problem = "any_of= has only one alternative, or an alternative without conditions"
            self.wrong(
                "E0615", problem, 'write two or more, such as any_of=[{"state": "open"}, {"total": kw.Above(9)}]'
            )
        for where in self.any_of:
            self.check_filters("any_of", where)
