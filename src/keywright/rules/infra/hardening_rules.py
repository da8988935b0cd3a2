"""The rules and remediations of the hardening table."""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.hardening import HardeningRow
from keywright.engines.findings.program.resource import ProgramResource
from keywright.ir.text import counted
from keywright.rules.models import CATALOGUES
from keywright.rules.rule import Level, Rule

ROWS: dict[str, HardeningRow] = {
    row.code: row for catalogue in CATALOGUES if catalogue.hardening for row in import_module(catalogue.hardening).ROWS
}
"""All rows by their codes."""


class Hardening(Rule):
    """A rule from a row of the table."""

    def finder(self, level: Level) -> Callable[..., Iterable[FindingDraft]] | None:
        """See `Rule.finder`."""
        return _FINDERS[self.code] if level == "resource" else None


HARDENING = tuple(Hardening(row.code, severity=row.severity, in_dev=row.in_dev) for row in ROWS.values())
"""The rules of the table."""


def remedies(code: str, resource: ProgramResource) -> Iterator[tuple[str, Any]]:
    """(argument, value) that the remediation of a rule sets; raises NotKnown if the current value is unknown."""
    row = ROWS.get(code)
    for required in row.required if row is not None and resource.type == row.type else ():
        if required.remedy is not None and not required.is_met(resource.value(required.argument)):
            yield required.argument, required.remedy


def has_remedy(code: str) -> bool:
    """Whether a rule has a remediation."""
    return code in ROWS and any(required.remedy is not None for required in ROWS[code].required)


def _unmet(row: HardeningRow, resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every argument without an allowed value."""
    if resource.type != row.type:
        return
    for required in row.required:
        value = resource.value(required.argument)
        if not required.is_met(value):
            problem = f"{required.argument} is {_text(value)}: {required.problem}"
            yield FindingDraft(problem=problem, help=required.help, subject=resource.urn)


def _too_short(row: HardeningRow, resource: ProgramResource, *, days: int = 7) -> Iterator[FindingDraft]:
    """Report every retention below a number of days.

    days: least number of days for which backups are kept.
    """
    if resource.type != row.type:
        return
    for required in row.required:
        value = resource.value(required.argument) or 0
        if value < days:
            problem = f"{required.argument} is {_text(value)}: {required.problem} for less than {counted(days, 'day')}"
            yield FindingDraft(problem=problem, help=f"{required.help}{days}", subject=resource.urn)


def _text(value: Any) -> str:
    return "not set" if value is None else json.dumps(value)


_FINDERS: dict[str, Callable[..., Iterable[FindingDraft]]] = {
    row.code: partial(_too_short if row.takes_days else _unmet, row) for row in ROWS.values()
}
