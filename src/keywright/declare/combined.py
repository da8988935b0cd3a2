"""Access patterns that read several entities in one request."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, Literal, Never, TypedDict, TypeVar, Unpack, overload

from keywright.ir.text import counted

from .answers import OnInvalid, Page, Runs
from .declared import Declared, subject
from .fields import class_of
from .names import names
from .reads import Get, Read
from .selection import M, TimedPattern
from .suppression import Ignore

if TYPE_CHECKING:
    from pydantic import BaseModel

A = TypeVar("A", bound="BaseModel")
B = TypeVar("B", bound="BaseModel")
C = TypeVar("C", bound="BaseModel")
D = TypeVar("D", bound="BaseModel")
E = TypeVar("E", bound="BaseModel")
F = TypeVar("F", bound="BaseModel")
AnswersT = TypeVar("AnswersT")

MOST_READS = 6
"""Most reads of one declaration whose types a type checker can add up."""


class _TransactGetOptions(TypedDict, total=False):
    """Options of a transaction of gets, as type checkers see them."""

    rate: str | None
    peak: str | None
    hot_key: str | None
    p99_ms: float | None
    unserved: str | None
    used_by: str | list[str]
    ignores: list[Ignore]


class _ReadTogetherOptions(_TransactGetOptions, total=False):
    """Options of a read of several entities, as type checkers see them."""

    limit: int | None
    consistency: Literal["eventual", "strong"]


class _CombinedRead(TimedPattern):
    """Reads of several entities, whose traffic is declared here, not on the parts."""

    conditions = frozenset(("model", "eq"))
    """The options that a part may have; all others are those of the whole."""

    def __init__(self, /, *parts: object, **options: object) -> None:
        Declared.__init__(self, list(parts), **options)

    @property
    def parts(self) -> list[Any]:
        """The reads in order."""
        raise NotImplementedError

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        owner, parts = type(self).__name__, self.parts
        if not 2 <= len(parts) <= MOST_READS:
            word = type(parts[0]).__name__ if parts else "Read"
            problem = f"{owner} takes 2 to {MOST_READS} reads, but {counted(len(parts), 'was', 'were')} given"
            self.wrong("E0611", problem, f"use kw.{word} for a single entity, and several patterns for more than six")
        for part in parts:
            for option in part.__options__.kinds:
                default = part.__options__.defaults.get(option)
                if option not in self.conditions and getattr(part, option) != default:
                    self._misplaced(part, option)

    def _misplaced(self, part: Any, option: str) -> None:
        """Report an option of a part that only the whole can have."""
        owner, word = type(self).__name__, type(part).__name__
        problem = f"a kw.{word} in {owner} has its own {option}={getattr(part, option)!r}"
        is_shared = option in self.__options__.kinds
        help = f"move it to kw.{owner}(..., {option}=...)" if is_shared else f"remove it: {owner} has no {option}="
        self.wrong("E0605", problem, help)


class ReadTogether(_CombinedRead, Generic[M]):
    """Reads a page of items of several entities of one partition with one request, in the order of the sort key."""

    reads: list[Read[Any]] = subject(kw_only=False)
    """The reads. Their fields of `eq` take the same values, in the same order, under the names of the first read."""
    limit: int | None = None
    """Items on a page, of all entities together; without it the pattern reads all items, which is a finding."""
    consistency: Literal["eventual", "strong"] = "eventual"
    """Consistency of the read."""

    conditions = frozenset(
        ("model", "eq", "where", "range", "excludes", "prefix", "contains", "all_of", "exactly", "order")
    )

    # Overloads, because no annotation adds up the types of any number of arguments.
    @overload
    def __init__(
        self: "ReadTogether[A | B]",
        a: Read[A],
        b: Read[B],
        /,
        **options: Unpack[_ReadTogetherOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: "ReadTogether[A | B | C]",
        a: Read[A],
        b: Read[B],
        c: Read[C],
        /,
        **options: Unpack[_ReadTogetherOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: "ReadTogether[A | B | C | D]",
        a: Read[A],
        b: Read[B],
        c: Read[C],
        d: Read[D],
        /,
        **options: Unpack[_ReadTogetherOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: "ReadTogether[A | B | C | D | E]",
        a: Read[A],
        b: Read[B],
        c: Read[C],
        d: Read[D],
        e: Read[E],
        /,
        **options: Unpack[_ReadTogetherOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: "ReadTogether[A | B | C | D | E | F]",
        a: Read[A],
        b: Read[B],
        c: Read[C],
        d: Read[D],
        e: Read[E],
        f: Read[F],
        /,
        **options: Unpack[_ReadTogetherOptions],
    ) -> None: ...

    def __init__(self, /, *reads: object, **options: object) -> None:
        super().__init__(*reads, **options)

    @property
    def parts(self) -> list[Read[Any]]:
        """The reads in order."""
        return self.reads

    def __call__(
        self,
        db: Runs,
        /,
        *placed: Never,
        limit: int | None = None,
        cursor: str | None = None,
        on_invalid: OnInvalid | None = None,
        **values: Any,
    ) -> Page[M]:
        """One page of items of all entities, in the order of the sort key.

        limit: items of the page, by default and at most the pattern's limit. cursor: the cursor of an earlier page.
        on_invalid: handling of an item that does not match its model; by default the database's setting.
        """
        page: Page[M] = db.run(self, *placed, limit=limit, cursor=cursor, on_invalid=on_invalid, **values)
        return page

    def pages(
        self,
        db: Runs,
        /,
        *placed: Never,
        limit: int | None = None,
        cursor: str | None = None,
        on_invalid: OnInvalid | None = None,
        **values: Any,
    ) -> Iterator[Page[M]]:
        """All pages, each read on demand; the cursor of a page resumes after it."""
        while True:
            page = self(db, *placed, limit=limit, cursor=cursor, on_invalid=on_invalid, **values)
            yield page
            if page.cursor is None:
                return
            cursor = page.cursor

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        models = [class_of(read.model) for read in self.reads]
        if twice := next((model for model in models if models.count(model) > 1), None):
            problem = f'ReadTogether reads "{twice.__name__}" twice'
            self.wrong("E0611", problem, "declare one read of it, whose conditions include both")
        for read in self.reads:
            for position, name in enumerate(names(read.eq)):
                self._check_position(read, position, name)

    def _check_position(self, read: Read[Any], position: int, name: str) -> None:
        """Report a field of `eq` that an earlier read has in another place."""
        for other in self.reads[: self.reads.index(read)]:
            if name in (listed := names(other.eq)) and listed.index(name) != position:
                first, second = class_of(other.model).__name__, class_of(read.model).__name__
                problem = (
                    f'"{name}" is number {listed.index(name) + 1} in eq= of {first}, and {position + 1} of {second}'
                )
                help = "list the fields that take the same value in the same order"
                self.wrong("E0611", f"{problem}, but fields in one place take the same value", help)
                return


class TransactGet(_CombinedRead, Generic[AnswersT]):
    """Gets several items as they are at one moment, of one entity or of several."""

    gets: list[Get[Any]] = subject(kw_only=False)
    """The gets in order."""

    conditions = frozenset(("model", "eq", "fields"))

    @overload
    def __init__(
        self: "TransactGet[tuple[A | None, B | None]]",
        a: Get[A],
        b: Get[B],
        /,
        **options: Unpack[_TransactGetOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: "TransactGet[tuple[A | None, B | None, C | None]]",
        a: Get[A],
        b: Get[B],
        c: Get[C],
        /,
        **options: Unpack[_TransactGetOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: "TransactGet[tuple[A | None, B | None, C | None, D | None]]",
        a: Get[A],
        b: Get[B],
        c: Get[C],
        d: Get[D],
        /,
        **options: Unpack[_TransactGetOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: "TransactGet[tuple[A | None, B | None, C | None, D | None, E | None]]",
        a: Get[A],
        b: Get[B],
        c: Get[C],
        d: Get[D],
        e: Get[E],
        /,
        **options: Unpack[_TransactGetOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: "TransactGet[tuple[A | None, B | None, C | None, D | None, E | None, F | None]]",
        a: Get[A],
        b: Get[B],
        c: Get[C],
        d: Get[D],
        e: Get[E],
        f: Get[F],
        /,
        **options: Unpack[_TransactGetOptions],
    ) -> None: ...

    def __init__(self, /, *gets: object, **options: object) -> None:
        super().__init__(*gets, **options)

    @property
    def parts(self) -> list[Get[Any]]:
        """The gets in order."""
        return self.gets

    def __call__(
        self, db: Runs, /, *calls: Mapping[str, Any], on_invalid: OnInvalid | None = None, **named: Never
    ) -> AnswersT:
        """The items as they are at one moment, None for each missing one: for each get in order, its values by field.

        on_invalid: handling of an item that does not match its model; by default the database's setting.
        """
        answers: AnswersT = db.run(self, *calls, on_invalid=on_invalid, **named)
        return answers
