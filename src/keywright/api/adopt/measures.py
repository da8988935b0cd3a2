"""Exports of monitoring services, as evidence for the rates of adopted tables."""

from collections.abc import Iterable, Iterator, Mapping

from keywright.engines.contract.adoption import Measures, NotExpressed
from keywright.engines.registry import NAMES, adoption_of

from .sources import AdoptedTarget


def measures_in(paths: Mapping[str, str]) -> Measures:
    """The rates in the files that are exports. paths: contents by path."""
    parts = [adoption.measured(paths) for adoption in filter(None, map(adoption_of, NAMES))]
    return Measures(
        {table: rates for part in parts for table, rates in part.rates.items()},
        tuple(path for part in parts for path in part.files),
        tuple(missing for part in parts for missing in part.not_expressed),
    )


def without_targets(measures: Measures, targets: Iterable[AdoptedTarget]) -> Iterator[NotExpressed]:
    """The rates of tables that are not read in."""
    tables = {target.name for target in targets}
    for table in sorted(measures.rates):
        if not any(table == name or table.endswith(name) for name in tables):
            yield NotExpressed(f"metrics/{table}", "no such table is read in: name its store or its schema file too")
