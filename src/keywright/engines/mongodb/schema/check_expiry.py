"""Expiries that MongoDB rejects, or that would delete nothing: of a field, and of an index."""

from collections.abc import Iterator

from keywright.declare.names import ordered
from keywright.engines.interface import Rejection
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import element, resolve
from keywright.ir.text import counted

from ..declare.indexes import Index
from ..declare.options import AnyCollection, Collection
from .capabilities import TTL_SECONDS
from .fields import ID, chosen_type, id_attribute, stored

IN_RANGE = "choose a time within 68 years"
"""Help for a time out of range."""


def check_field(binding: Binding[AnyCollection], spec: Collection) -> Iterator[Rejection]:
    """The expiry of a field that is marked with `Ttl`."""
    expiry = binding.entity.ttl
    if expiry is None:
        return

    def wrong(problem: str, help: str) -> Rejection:
        return Rejection("MDB013", problem, help, binding.name, field=expiry.name)

    if expiry is id_attribute(binding) and not spec.clustered:
        problem = f'documents expire by "{expiry.name}", which is stored as "{ID}"'
        yield wrong(problem, "use another field for the expiry, or clustered=True")
    if spec.types.get(expiry.name, "date") != "date":
        problem = f'documents expire by "{expiry.name}", which is stored as {spec.types[expiry.name]}'
        yield wrong(problem, "remove it from types=: only a date expires")
    if problem := seconds_problem(expiry.ttl_after_seconds or 0):
        yield wrong(problem, IN_RANGE)


def seconds_problem(seconds: int) -> str:
    """The problem of a delay; empty if there is none."""
    if 0 <= seconds <= TTL_SECONDS.value:
        return ""
    return f"documents expire after {counted(seconds, 'second')}, MongoDB allows 0 to {TTL_SECONDS.value}"


def check_index_expiry(binding: Binding[AnyCollection], index: Index) -> Iterator[tuple[str, str, str]]:
    """(code, problem, help) of each error of an index with `expire_after=`."""
    paths, spec = ordered(index.keys), binding.spec
    assert index.expire_after is not None
    if not isinstance(spec, Collection):
        yield "MDB013", "an index of a time series expires nothing", "remove it, and use ttl= of the time series"
        return
    if spec.settings.get("capped"):
        yield "MDB013", "it expires documents of a capped collection", "remove expire_after=, or capped from settings="
    if problem := seconds_problem(int(index.expire_after.total_seconds())):
        yield "MDB013", problem, IN_RANGE
    if len(paths) != 1:
        problem = f"it has {counted(len(paths), 'field')}, and only an index of one field expires documents"
        yield (
            "MDB013",
            problem,
            f'write kw.Index("{paths[-1]}", expire_after=...) beside it' if paths else "name the time",
        )
        return
    if stored(binding, paths[0]) == ID:
        yield "MDB013", f'documents do not expire by an index on "{ID}"', _by_id(binding)
    elif problem := _no_time(binding, paths[0]):
        yield "MDB013", f"{problem}, so that nothing would ever expire", "index a datetime, stored as a date"


def _by_id(binding: Binding[AnyCollection]) -> str:
    identity = id_attribute(binding)
    is_time = identity is not None and isinstance(identity.type, Scalar) and identity.type.kind == "datetime"
    return "write clustered=True, and mark the field with kw.Ttl()" if is_time else "use another field"


def _no_time(binding: Binding[AnyCollection], path: str) -> str:
    """The reason why the values at a path are no dates; empty if they are, or can be."""
    attributes = resolve(binding.entity.attributes, path)
    if not attributes:
        return ""
    kind, chosen = element(attributes[-1].type), chosen_type(binding, path)
    if not isinstance(kind, Scalar):
        return f'"{path}" is no single time'
    if kind.kind not in ("datetime", "json"):
        return f'"{path}" has the type {kind.kind}'
    return f'"{path}" is stored as {chosen}' if chosen not in (None, "date") else ""
