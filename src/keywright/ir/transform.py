"""Transforms: how a stored item becomes the next version, as a small closed language; `transformed` is its meaning."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, Protocol, TypeAlias, get_args

from keywright.errors import UsageError, did_you_mean

from .attribute import Constant
from .json import Json
from .template import Placeholder, Template, TemplateError
from .template import parse as parse_template

LogicalType: TypeAlias = Literal["str", "int", "decimal", "bool", "datetime"]
"""Types that a value can be cast to."""

Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""(written path, read path)."""


@dataclass(frozen=True, slots=True)
class Split:
    """One text becomes several."""

    on: str
    """The text between the parts."""
    into: tuple[str, ...]
    """Paths of the parts in order; the last takes what is left, and one without a part stays as it is."""


@dataclass(frozen=True, slots=True)
class Transform:
    """Kinds of step, carried out in the order of these fields; steps of one kind all see the item as it was before.

    Paths are stored names, with dots into embedded documents. A step does nothing where what it reads is absent; all
    but copy and rename take null for absent.
    """

    copy: Pairs = ()
    """(new path, old path): the value stands at both."""
    rename: Pairs = ()
    """(new path, old path): the value moves."""
    split: tuple[tuple[str, Split], ...] = ()
    """(path, parts): the text at the path stays."""
    cast: tuple[tuple[str, LogicalType], ...] = ()
    """(path, new type); what cannot be read as that type is rejected."""
    map: tuple[tuple[str, tuple[tuple[str, Constant], ...]], ...] = ()
    """(path, (text of the old value, new value) of each); other values stay."""
    set: tuple[tuple[str, Template | Constant], ...] = ()
    """(path, key template or constant); a template always writes, a constant fills what is absent or null."""
    unset: tuple[str, ...] = ()
    """Paths that go."""

    def __post_init__(self) -> None:
        """Refuse what has no clear meaning."""
        for problem, help in _wrong(self):
            raise UsageError(f"transform: {problem}", help)

    @property
    def reads(self) -> tuple[str, ...]:
        """Paths of all values that the outcome depends on, sorted."""
        return tuple(sorted({path for step in _steps(self) for path in step.reads}))

    @property
    def writes(self) -> tuple[str, ...]:
        """Paths of all values that may be written or removed, sorted."""
        return tuple(sorted({path for step in _steps(self) for path in (*step.writes, *step.removes)}))

    @property
    def only_once(self) -> str:
        """The path that would change again if the transform were applied twice; empty where it may be.

        Such a transform needs a schema version, by which an item that has been through it is told.
        """
        steps = tuple(_steps(self))
        for step in steps:
            for path in step.depends:
                if any(path in other.writes and other.kind >= step.kind and other is not step for other in steps):
                    return path
            if not step.settles and set(step.depends) & set(step.writes):
                return next(path for path in step.depends if path in step.writes)
        return ""


@dataclass(frozen=True, slots=True)
class _Step:
    """One step, as far as its paths go."""

    kind: int
    """Place of its kind in the order."""
    reads: tuple[str, ...] = ()
    """Paths that it looks at."""
    writes: tuple[str, ...] = ()
    """Paths that it gives a value."""
    removes: tuple[str, ...] = ()
    """Paths that it empties."""
    is_fill: bool = False
    """Whether it looks only at whether there is a value."""
    settles: bool = False
    """Whether done twice in a row it does the same as once, though it reads what it writes."""

    @property
    def depends(self) -> tuple[str, ...]:
        """Paths whose value decides what it writes."""
        return () if self.is_fill else self.reads


def _steps(transform: Transform) -> Iterator[_Step]:
    yield from (_Step(0, (old,), (new,)) for new, old in transform.copy)
    yield from (_Step(1, (old,), (new,), (old,)) for new, old in transform.rename)
    yield from (_Step(2, (path,), split.into) for path, split in transform.split)
    yield from (_Step(3, (path,), (path,), settles=True) for path, _ in transform.cast)
    for path, pairs in transform.map:
        old, new = dict(pairs), {value for _, value in pairs}
        is_chain = any(str(value) in old and old[str(value)] != value for value in new)
        yield _Step(4, (path,), (path,), settles=not is_chain)
    for path, made in transform.set:
        if isinstance(made, Template):
            yield _Step(5, tuple(one.path for one in made.placeholders), (path,))
        else:
            yield _Step(5, (path,), (path,), is_fill=True)
    yield from (_Step(6, removes=(path,)) for path in transform.unset)


def _wrong(transform: Transform) -> Iterator[tuple[str, str]]:
    """(problem, help) of everything that has no clear meaning."""
    steps = tuple(_steps(transform))
    if not steps:
        yield "it has no step", "say at least one of copy, rename, split, cast, map, set, unset"
    for kind in range(7):
        written = [path for step in steps if step.kind == kind for path in step.writes]
        for path in sorted({path for path in written if written.count(path) > 1}):
            yield f'two steps of one kind write "{path}"', "keep one of them"
    paths = sorted({path for step in steps for path in (*step.reads, *step.writes, *step.removes)})
    for path in paths:
        for other in paths:
            if other.startswith(f"{path}."):
                yield f'"{path}" and "{other}" overlap', "make two transforms of it, one after the other"
        if not all(path.split(".")):
            yield f'"{path}" is no path', "write stored names with dots between them"
    yield from _wrong_parts(transform)


def _wrong_parts(transform: Transform) -> Iterator[tuple[str, str]]:
    """The same of what steps hold beside paths."""
    for path, split in transform.split:
        if not split.on or not split.into:
            yield f'the split of "{path}" has no separator or no parts', 'write {"on": " ", "into": ["first", "last"]}'
    for path, type in transform.cast:
        if type not in get_args(LogicalType):
            yield f'"{path}" cannot be cast to "{type}"', did_you_mean(type, get_args(LogicalType))
    for path, made in transform.set:
        if isinstance(made, Template) and any(not one.path for one in made.placeholders):
            yield f'"{path}" draws a shard, which differs each time', "name the field: {field:shard(16)}"


def describe(transform: Transform) -> dict[str, Json]:
    """A transform as JSON, kinds without steps left out: what `transform:` of a migration holds."""
    described: dict[str, Json] = {
        "copy": dict(transform.copy),
        "rename": dict(transform.rename),
        "split": {path: {"on": one.on, "into": list(one.into)} for path, one in transform.split},
        "cast": dict(transform.cast),
        "map": {path: dict(pairs) for path, pairs in transform.map},
        "set": {path: made.text if isinstance(made, Template) else made for path, made in transform.set},
        "unset": list(transform.unset),
    }
    return {kind: value for kind, value in described.items() if value}


def parse(described: Json) -> Transform:
    """The inverse of `describe`; UsageError says what is wrong with a text that a person wrote."""
    told: Any = described
    known = [one.name for one in fields(Transform)]
    if not isinstance(told, dict):
        raise UsageError("transform: it is no mapping", f"its keys are {', '.join(known)}")
    for kind in told:
        if kind not in known:
            raise UsageError(f'transform: unknown step "{kind}"', did_you_mean(kind, known))
    try:
        return Transform(
            copy=_pairs(told.get("copy", {})),
            rename=_pairs(told.get("rename", {})),
            split=tuple((path, Split(one["on"], tuple(one["into"]))) for path, one in told.get("split", {}).items()),
            cast=tuple(told.get("cast", {}).items()),
            map=tuple((path, tuple(pairs.items())) for path, pairs in told.get("map", {}).items()),
            set=tuple((path, _made(made)) for path, made in told.get("set", {}).items()),
            unset=tuple(told.get("unset", ())),
        )
    except TemplateError as error:
        raise UsageError(f"transform: {error}", error.help) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        help = '{"set": {"status_day": "{status}#{placed_at:date}"}} is one'
        raise UsageError(f"transform: it does not have the form of one ({error})", help) from error


def _pairs(told: dict[str, str]) -> Pairs:
    return tuple((str(new), str(old)) for new, old in told.items())


def _made(value: Any) -> Template | Constant:
    """A key template where there is a placeholder in it, else a constant."""
    if isinstance(value, str):
        return parse_template(value) if "{" in value or "}" in value else value
    if isinstance(value, (bool, int)):
        return value
    raise TypeError(f"a {type(value).__name__} is no constant")


class _Parts(Protocol):
    """What `kw.Split` has."""

    on: str
    into: list[str]


class _Upgrade(Protocol):
    """What `kw.Upgrade` has: declarations stand above, so they are known by their form alone."""

    copy: Mapping[str, str]
    rename: Mapping[str, str]
    split: Mapping[str, Any]
    cast: Mapping[str, Any]
    map: Mapping[str, Mapping[str, Constant]]
    set: Mapping[str, str]
    unset: Any


def of_upgrade(upgrade: _Upgrade, stored: Callable[[str], str] = str) -> Transform:
    """The transform of a declared upgrade.

    stored: the stored path of a path of Python names, such as `entity.stored_path` finds it.
    """

    def parts(one: _Parts) -> Split:
        return Split(one.on, tuple(map(stored, one.into)))

    return Transform(
        copy=tuple((stored(new), stored(old)) for new, old in upgrade.copy.items()),
        rename=tuple((stored(new), stored(old)) for new, old in upgrade.rename.items()),
        split=tuple((stored(path), parts(one)) for path, one in upgrade.split.items()),
        cast=tuple((stored(path), type) for path, type in upgrade.cast.items()),
        map=tuple((stored(path), tuple(pairs.items())) for path, pairs in upgrade.map.items()),
        set=tuple((stored(path), _set_in_store(_made(made), stored)) for path, made in upgrade.set.items()),
        unset=tuple(stored(path) for path in ((upgrade.unset,) if isinstance(upgrade.unset, str) else upgrade.unset)),
    )


def in_store(made: Template, stored: Callable[[str], str]) -> Template:
    """The same template over stored paths."""
    return parse_template("".join(one if isinstance(one, str) else _placed(one, stored) for one in made.parts))


def _set_in_store(made: Template | Constant, stored: Callable[[str], str]) -> Template | Constant:
    return in_store(made, stored) if isinstance(made, Template) else made


def _placed(placeholder: Placeholder, stored: Callable[[str], str]) -> str:
    words = [f"{one.name}({one.number})" if one.number is not None else one.name for one in placeholder.filters]
    path = stored(placeholder.path) if placeholder.path else ""
    return "{" + ":".join([path, *words]) + "}"
