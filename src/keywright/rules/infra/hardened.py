"""How the rows of the table of hardening are asked, and put right."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource
from keywright.rules.rule import Level, Rule

from .hardening import ROWS
from .wants import Row


@dataclass(frozen=True, slots=True)
class Hardening(Rule):
    """A rule that is a row of the table."""

    def finder(self, level: Level) -> Callable[..., Iterable[Flaw]] | None:
        """See `Rule.finder`."""
        return _FINDERS[self.code] if level == "resource" else None


HARDENING = tuple(Hardening(row.code, severity=row.severity, in_dev=row.in_dev) for row in ROWS.values())
"""The rules of the table."""


def remedies(code: str, one: Resource) -> Iterator[tuple[str, Any]]:
    """(argument, value) of what the remediation of a rule sets; NotKnown where it is not known whether it must."""
    row = ROWS.get(code)
    for want in row.wants if row is not None and one.type == row.type else ():
        if want.remedy is not None and not want.is_met(one.value(want.argument)):
            yield want.argument, want.remedy


def has_remedy(code: str) -> bool:
    """Whether a rule has a remediation."""
    return code in ROWS and any(want.remedy is not None for want in ROWS[code].wants)


def _wanting(row: Row, one: Resource) -> Iterator[Flaw]:
    if one.type != row.type:
        return
    for want in row.wants:
        value = one.value(want.argument)
        if not want.is_met(value):
            problem = f"{want.argument} is {_shown(value)}: {want.problem}"
            yield Flaw(problem=problem, help=want.help, subject=one.urn)


def _lasting(row: Row, one: Resource, *, days: int = 7) -> Iterator[Flaw]:
    """days: how long backups are kept at least."""
    if one.type != row.type:
        return
    for want in row.wants:
        value = one.value(want.argument) or 0
        if value < days:
            problem = f"{want.argument} is {_shown(value)}: {want.problem} for less than {days} days"
            yield Flaw(problem=problem, help=f"{want.help}{days}", subject=one.urn)


def _shown(value: Any) -> str:
    return "not said" if value is None else json.dumps(value)


_FINDERS: dict[str, Callable[..., Iterable[Flaw]]] = {
    row.code: partial(_lasting if row.takes_days else _wanting, row) for row in ROWS.values()
}
