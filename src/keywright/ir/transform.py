"""Transforms: conversions of stored items to their next version, in a small closed language; see `apply_transform`."""

from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from typing import Any, Literal, Protocol, TypeAlias, get_args

from keywright.errors import UsageError, did_you_mean
from keywright.record import Record, fields

from .json import Json
from .template import Placeholder, Template, TemplateError
from .template import parse as parse_template

LogicalType: TypeAlias = Literal["str", "int", "decimal", "bool", "datetime"]
"""Target types of a cast."""

StepConstant: TypeAlias = str | int | float | bool
"""A constant that a step writes; decimals and times as text."""

Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""(written path, read path)."""


class Split(Record):
    """One text becomes several."""

    on: str
    """The text between the parts."""
    into: tuple[str, ...]
    """Paths of the parts in order; the last part gets the remaining text, and missing parts change nothing."""


class Transform(Record):
    """Kinds of step, in the order of execution; steps of one kind all see the item before any of them.

    Paths are stored names, with dots into embedded documents. A step does nothing if its input is absent; all kinds
    but copy and rename treat null as absent.
    """

    copy: Pairs = ()
    """(new path, old path): the value is then at both."""
    rename: Pairs = ()
    """(new path, old path): the value moves."""
    split: tuple[tuple[str, Split], ...] = ()
    """(path, parts): the text at the path is kept."""
    cast: tuple[tuple[str, LogicalType], ...] = ()
    """(path, new type); a value that cannot be converted is an error."""
    map: tuple[tuple[str, tuple[tuple[str, StepConstant], ...]], ...] = ()
    """(path, (text of the old value, new value) of each); other values are kept."""
    set: tuple[tuple[str, Template | StepConstant], ...] = ()
    """(path, key template or constant); a template always writes, a constant only if the value is absent or null."""
    unset: tuple[str, ...] = ()
    """Paths to remove."""

    def __post_init__(self) -> None:
        """Reject ambiguous or empty transforms."""
        for problem, help in _wrong(self):
            raise UsageError(f"transform: {problem}", help)

    @property
    def reads(self) -> tuple[str, ...]:
        """Paths of all values that determine the result, sorted."""
        return tuple(sorted({path for step in _steps(self) for path in step.reads}))

    @property
    def writes(self) -> tuple[str, ...]:
        """Paths of all values that can be written or removed, sorted."""
        return tuple(sorted({path for step in _steps(self) for path in (*step.writes, *step.removes)}))

    @property
    def needs(self) -> tuple[str, ...]:
        """Paths of values that the item must have before the transform for it to do something, sorted."""
        written, required = set[str](), set[str]()
        for kind in range(7):
            steps = [step for step in _steps(self) if step.kind == kind]
            required |= {path for step in steps for path in step.depends} - written
            written |= {path for step in steps for path in step.writes}
        return tuple(sorted(required))

    @property
    def only_once(self) -> str:
        """The path that a second application of the transform would change again; empty if there is none.

        Such a transform needs a schema version, which marks the items that it was applied to.
        """
        steps = tuple(_steps(self))
        for step in steps:
            for path in step.depends:
                if any(path in later.writes and later.kind >= step.kind and later is not step for later in steps):
                    return path
            if not step.is_idempotent and set(step.depends) & set(step.writes):
                return next(path for path in step.depends if path in step.writes)
        return next(_uncovered(steps), "")


class _Step(Record):
    """The paths of one step."""

    kind: int
    """Index of its kind in the order of execution."""
    reads: tuple[str, ...] = ()
    """Paths that it reads."""
    writes: tuple[str, ...] = ()
    """Paths that it writes."""
    removes: tuple[str, ...] = ()
    """Paths that it removes."""
    is_fill: bool = False
    """Whether it depends only on the presence of a value."""
    is_idempotent: bool = False
    """Whether a second application changes nothing, although it reads the path that it writes."""

    @property
    def depends(self) -> tuple[str, ...]:
        """Paths whose values determine the result."""
        return () if self.is_fill else self.reads


def _uncovered(steps: tuple[_Step, ...]) -> Iterator[str]:
    """Paths of two steps, where only the first one writes again, because the input of the second one is removed."""

    def loses_input(step: _Step) -> bool:
        removed = {path for other in steps if other.kind >= step.kind for path in other.removes}
        return not removed.isdisjoint(step.depends)

    for later in filter(loses_input, steps):
        for earlier in steps:
            if earlier.kind < later.kind and earlier.depends and not loses_input(earlier):
                yield from (path for path in later.writes if path in earlier.writes)


def _steps(transform: Transform) -> Iterator[_Step]:
    yield from (_Step(0, (old,), (new,)) for new, old in transform.copy)
    yield from (_Step(1, (old,), (new,), (old,)) for new, old in transform.rename)
    yield from (_Step(2, (path,), split.into) for path, split in transform.split)
    yield from (_Step(3, (path,), (path,), is_idempotent=True) for path, _ in transform.cast)
    for path, pairs in transform.map:
        old, new = dict(pairs), {value for _, value in pairs}
        is_chain = any(str(value) in old and old[str(value)] != value for value in new)
        yield _Step(4, (path,), (path,), is_idempotent=not is_chain)
    for path, template in transform.set:
        if isinstance(template, Template):
            yield _Step(5, tuple(placeholder.path for placeholder in template.placeholders), (path,))
        else:
            yield _Step(5, (path,), (path,), is_fill=True)
    yield from (_Step(6, removes=(path,)) for path in transform.unset)


def _wrong(transform: Transform) -> Iterator[tuple[str, str]]:
    """(problem, help) of each error."""
    steps = tuple(_steps(transform))
    if not steps:
        yield "it has no steps", "use at least one of copy, rename, split, cast, map, set, unset"
    for kind in range(7):
        written = [path for step in steps if step.kind == kind for path in step.writes]
        for path in sorted({path for path in written if written.count(path) > 1}):
            yield f'two steps of one kind write "{path}"', "keep one of them"
    paths = sorted({path for step in steps for path in (*step.reads, *step.writes, *step.removes)})
    for path in paths:
        for inner in paths:
            if inner.startswith(f"{path}."):
                yield f'"{path}" and "{inner}" overlap', "write two transforms, one after the other"
        if not all(path.split(".")):
            yield f'"{path}" is not a path', "write stored names with dots between them"
    yield from _wrong_parts(transform)


def _wrong_parts(transform: Transform) -> Iterator[tuple[str, str]]:
    """Errors of steps beside their paths."""
    for path, split in transform.split:
        if not split.on or not split.into:
            yield f'the split of "{path}" has no separator or no parts', 'write {"on": " ", "into": ["first", "last"]}'
    for path, type in transform.cast:
        if type not in get_args(LogicalType):
            yield f'"{path}" cannot be cast to "{type}"', did_you_mean(type, get_args(LogicalType))
    for path, template in transform.set:
        if isinstance(template, Template) and any(not placeholder.path for placeholder in template.placeholders):
            yield f'"{path}" writes a random shard, which differs each time', "name the field: {field:shard(16)}"
    named = [*transform.set, *((path, new) for path, pairs in transform.map for _, new in pairs)]
    for path, new in named:
        if isinstance(new, float) and not isfinite(new):
            yield f'"{path}" becomes {new}, which most stores reject', "write a finite number"


def describe(transform: Transform) -> dict[str, Json]:
    """A transform as JSON, without empty kinds: the value of `transform:` in a migration."""
    described: dict[str, Json] = {
        "copy": dict(transform.copy),
        "rename": dict(transform.rename),
        "split": {path: {"on": split.on, "into": list(split.into)} for path, split in transform.split},
        "cast": dict(transform.cast),
        "map": {path: dict(pairs) for path, pairs in transform.map},
        "set": {path: value.text if isinstance(value, Template) else value for path, value in transform.set},
        "unset": list(transform.unset),
    }
    return {kind: value for kind, value in described.items() if value}


def parse(described: Json) -> Transform:
    """The inverse of `describe`; raises UsageError for errors of a text that a person wrote."""
    document: Any = described
    names = [field.name for field in fields(Transform)]
    if not isinstance(document, dict):
        raise UsageError("transform: it is not a mapping", f"its keys are {', '.join(names)}")
    for kind in document:
        if kind not in names:
            raise UsageError(f'transform: unknown step "{kind}"', did_you_mean(kind, names))
    try:
        return Transform(
            copy=_pairs(document.get("copy", {})),
            rename=_pairs(document.get("rename", {})),
            split=tuple(
                (path, Split(split["on"], tuple(split["into"]))) for path, split in document.get("split", {}).items()
            ),
            cast=tuple(document.get("cast", {}).items()),
            map=tuple(
                (path, tuple((old, _constant(new)) for old, new in pairs.items()))
                for path, pairs in document.get("map", {}).items()
            ),
            set=tuple((path, _set_value(value)) for path, value in document.get("set", {}).items()),
            unset=tuple(document.get("unset", ())),
        )
    except TemplateError as error:
        raise UsageError(f"transform: {error}", error.help) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        help = 'an example is {"set": {"status_day": "{status}#{placed_at:date}"}}'
        raise UsageError(f"transform: it does not have the form of a transform ({error})", help) from error


def _pairs(document: dict[str, str]) -> Pairs:
    return tuple((str(new), str(old)) for new, old in document.items())


def _set_value(value: Any) -> Template | StepConstant:
    """A key template if the text has a placeholder, else a constant."""
    if isinstance(value, str):
        return parse_template(value) if "{" in value or "}" in value else value
    return _constant(value)


def _constant(value: Any) -> StepConstant:
    if isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"a {type(value).__name__} is not a constant")


class _Parts(Protocol):
    """The attributes of `kw.Split`."""

    on: str
    into: list[str]


class _Upgrade(Protocol):
    """The attributes of `kw.Upgrade`; a protocol, because `ir` cannot import `declare`."""

    copy: Mapping[str, str]
    rename: Mapping[str, str]
    split: Mapping[str, Any]
    cast: Mapping[str, Any]
    map: Mapping[str, Mapping[str, StepConstant]]
    set: Mapping[str, StepConstant]
    unset: Any


def _as_written(template: Template) -> Template:
    return template


def of_upgrade(
    upgrade: _Upgrade,
    stored: Callable[[str], str] = str,
    precise: Callable[[Template], Template] = _as_written,
) -> Transform:
    """The transform of a declared upgrade.

    stored: converts a path of Python names to a stored path, such as by `entity.stored_path`. precise: gives times in
    a template the precision of their fields.
    """

    def value_of(value: StepConstant) -> Template | StepConstant:
        read = _set_value(value)
        return in_store(precise(read), stored) if isinstance(read, Template) else read

    def parts(split: _Parts) -> Split:
        return Split(split.on, tuple(map(stored, split.into)))

    return Transform(
        copy=tuple((stored(new), stored(old)) for new, old in upgrade.copy.items()),
        rename=tuple((stored(new), stored(old)) for new, old in upgrade.rename.items()),
        split=tuple((stored(path), parts(split)) for path, split in upgrade.split.items()),
        cast=tuple((stored(path), type) for path, type in upgrade.cast.items()),
        map=tuple((stored(path), tuple(pairs.items())) for path, pairs in upgrade.map.items()),
        set=tuple((stored(path), value_of(value)) for path, value in upgrade.set.items()),
        unset=tuple(stored(path) for path in ((upgrade.unset,) if isinstance(upgrade.unset, str) else upgrade.unset)),
    )


def in_store(template: Template, stored: Callable[[str], str]) -> Template:
    """The same template over stored paths."""
    return parse_template("".join(part if isinstance(part, str) else _placed(part, stored) for part in template.parts))


def _placed(placeholder: Placeholder, stored: Callable[[str], str]) -> str:
    return str(Placeholder(stored(placeholder.path) if placeholder.path else "", placeholder.filters))
