"""Exports of CloudWatch as rates of tables and indexes: the results of `get-metric-data`, and its queries."""

import json
import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from keywright.engines.contract.adoption import Measures, NotExpressed
from keywright.ir.text import counted, figure
from keywright.record import Record

_KINDS = {"ConsumedReadCapacityUnits": "read", "ConsumedWriteCapacityUnits": "write"}
"""Metrics whose sum, divided by the period, is the consumption of a second.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html, 2026-11-28."""

_UNITS = ((86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
_WAY = "results without a query: name also the file of --metric-data-queries, which has tables and periods"


class _Query(Record):
    """A query for one metric."""

    table: str
    """Name of the table."""
    kind: str
    """`read` or `write`."""
    index: str
    """Name of an index; empty for the table."""
    period: int
    """Seconds of a value."""


def measured(paths: Mapping[str, str]) -> Measures:
    """See `Adoption.measured`."""
    documents = {path: _parsed(text) for path, text in paths.items() if any(word in text for word in _WORDS)}
    queries = {path: part for path, document in documents.items() if (part := _queries(document)) is not None}
    results = {path: own for path, document in documents.items() if (own := _results(document)) is not None}
    by_id: dict[str, _Query | str] = {id: query for part in queries.values() for id, query in part.items()}
    values: dict[_Query, dict[str, float]] = {}
    problems: dict[NotExpressed, None] = {}
    for path, own_results in results.items():
        for id, timed in own_results:
            query = by_id.get(id)
            if query is None:
                problems[NotExpressed(path, _WAY)] = None
            elif isinstance(query, str):
                problems[NotExpressed(path, f'metric "{id}": {query}')] = None
            else:
                values.setdefault(query, {}).update(timed)
    rates: dict[str, dict[tuple[str, str], str]] = {}
    for query, timed in values.items():
        if timed:
            rates.setdefault(query.table, {})[query.kind, query.index] = _rate(query, timed)
    return Measures(rates, tuple({**queries, **results}), tuple(problems))


_WORDS = ("MetricDataResults", "MetricStat")
"""Words of every export, and of every file with queries."""


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _queries(document: Any) -> dict[str, _Query | str] | None:
    """Queries by their identifiers, or the reason why one gives no rate; None for other documents."""
    queries = document.get("MetricDataQueries") if isinstance(document, dict) else document
    if not (isinstance(queries, list) and any(isinstance(query, dict) and "MetricStat" in query for query in queries)):
        return None
    return {str(query.get("Id")): _query(query) for query in queries if isinstance(query, dict)}


def _query(query: Mapping[str, Any]) -> _Query | str:
    match query.get("MetricStat"):
        case {
            "Metric": {"Namespace": "AWS/DynamoDB", "MetricName": str(name), "Dimensions": [*dimensions]},
            "Period": int(period),
            "Stat": "Sum",
        } if name in _KINDS and period > 0:
            named = {str(part["Name"]): str(part["Value"]) for part in dimensions if {"Name", "Value"} <= {*part}}
            index = named.get("GlobalSecondaryIndexName", "")
            return (
                _Query(named["TableName"], _KINDS[name], index, period) if "TableName" in named else "it has no table"
            )
        case _:
            return 'no sum of consumed units: query ConsumedReadCapacityUnits with Stat "Sum"'


def _results(document: Any) -> list[tuple[str, dict[str, float]]] | None:
    """(identifier, values by time) of each result; None for other documents."""
    results = document.get("MetricDataResults") if isinstance(document, dict) else None
    if not isinstance(results, list):
        return None
    return [(str(result.get("Id")), dict(_values(result))) for result in results if isinstance(result, dict)]


def _values(result: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    times, values = result.get("Timestamps"), result.get("Values")
    if isinstance(times, list) and isinstance(values, list):
        for time, value in zip(times, values, strict=False):
            if isinstance(value, (int, float)) and math.isfinite(value) and value >= 0 and _moment(time) is not None:
                yield str(time), float(value)


def _moment(time: Any) -> float | None:
    try:
        return datetime.fromisoformat(str(time)).timestamp()
    except (ValueError, OverflowError):
        return None


def _rate(query: _Query, timed: Mapping[str, float]) -> str:
    """The consumption in words; a period without a value has no requests."""
    moments = [moment for time in timed if (moment := _moment(time)) is not None]
    seconds = max(moments) - min(moments) + query.period
    average, most = sum(timed.values()) / seconds, max(timed.values()) / query.period
    owner = f'index "{query.index}"' if query.index else "the table"
    busiest = f", {figure(most)} in the busiest {_time(query.period).removeprefix('1 ')}" if len(timed) > 1 else ""
    units = counted(average, f"{query.kind} unit", spec=figure)
    return f"{owner}: {units} a second{busiest} (CloudWatch, {_time(seconds)})"


def _time(seconds: float) -> str:
    size, unit = next(part for part in _UNITS if seconds >= part[0] or part[0] == 1)
    return counted(max(1, round(seconds / size)), unit)
