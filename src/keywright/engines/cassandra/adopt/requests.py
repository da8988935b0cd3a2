"""Texts of prepared statements as requests; values in the texts are left out."""

from collections.abc import Iterator, Mapping, Set
from typing import Any

from keywright.engines.contract.adoption import Sample
from keywright.engines.contract.observer import Remembered
from keywright.engines.contract.requests import SeenRequest
from keywright.ir.binding import Binding
from keywright.ir.text import counted
from keywright.record import replace

from ..declare.options import CqlTable
from .cql_statement import read_statement
from .cql_tokens import UnexpectedToken

MANY = 100
"""Most statements of one table; an application that writes values into texts prepares any number of them."""


def requested(binding: Binding[CqlTable], sample: Sample) -> Iterator[SeenRequest]:
    """See `Adoption.requested`: each form once, in the order of the texts."""
    counters = {
        attribute.stored for attribute in binding.entity.attributes if attribute.name in _names(binding.spec.counters)
    }
    forms: dict[SeenRequest, None] = {}
    for text in sorted(sample.remembered.requests):
        try:
            request = read_statement(text, counters)
        except UnexpectedToken:
            continue  # a statement of another form, such as a read by tokens
        if request is not None and len(forms) < MANY:
            forms.update(dict.fromkeys(_increments(request, counters)))
    yield from forms


def _increments(request: SeenRequest, counters: Set[str]) -> Iterator[SeenRequest]:
    """An increment for each counter that one statement adds to, since a pattern has one; else the request itself."""
    if request.kind == "update" and request.sets and counters >= {*request.sets}:
        yield from (replace(request, kind="increment", field=column, sets=()) for column in request.sets)
    else:
        yield request


def remembers(live: Mapping[str, Any]) -> dict[str, str]:
    """See `Adoption.remembers`: every table."""
    return {str(name): f"{live['name']}.{name}" for name in live["native"].get("tables", {})}


def rates(remembered: Remembered) -> dict[tuple[str, str], str]:
    """See `Adoption.rates`: the requests that the contacted node has coordinated since its start."""
    days = remembered.figures.get("days")
    texts: dict[tuple[str, str], str] = {}
    for kind in ("read", "write"):
        number = remembered.figures.get(f"{kind}s")
        if isinstance(number, (int, float)) and isinstance(days, float) and number:
            time = counted(max(1, round(days)), "day")
            texts[kind, ""] = f"all {kind}s of the table through one node: {int(number):,} in {time}"
    return texts


def _names(fields: str | list[str]) -> list[str]:
    return [fields] if isinstance(fields, str) else list(fields)
