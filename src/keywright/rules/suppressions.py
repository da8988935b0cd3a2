"""Suppressions of findings about migrations, and findings about the suppressions themselves."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Protocol

from keywright.errors import Place, did_you_mean

from .catalogue import BY_CODE
from .rule import Finding, Report, SuppressedFinding
from .yaml_lines import Lines


class _Migration(Protocol):
    """A migration with its suppressions."""

    @property
    def folder(self) -> str:
        """The name of its folder."""

    @property
    def ignore(self) -> Sequence[Mapping[str, Any]]:
        """Its suppressions."""


def suppress(findings: Sequence[Finding], migration: _Migration, today: date, file: str, lines: Lines) -> Report:
    """The report with remaining and suppressed findings, and with findings about the suppressions themselves."""
    remaining, suppressed, invalid = list(findings), list[SuppressedFinding](), list[Finding]()
    for position, suppression in enumerate(migration.ignore):
        place = Place(file, lines.get(f"ignore {position}", 1 if file else 0))
        problem = _problem(suppression, today)
        if problem is None:
            matching = [finding for finding in remaining if _matches(suppression, finding)]
            remaining = [finding for finding in remaining if finding not in matching]
            until = None if suppression.get("until") is None else str(suppression["until"])
            suppressed += (SuppressedFinding(finding, str(suppression["reason"]), until) for finding in matching)
            if not matching:
                target = f'"{suppression["code"]}"'
                target += f' of "{suppression["object"]}"' if suppression.get("object") else ""
                problem = ("SUP003", f"{target} is ignored, and the rule reports nothing there", "remove the line")
        if problem is not None:
            invalid.append(_invalid(problem, suppression, migration.folder, place))
    return Report((*remaining, *invalid), tuple(suppressed))


def _problem(suppression: Mapping[str, Any], today: date) -> tuple[str, str, str] | None:
    """(code, problem, help) of an invalid suppression; None for a valid one."""
    code, reason, until = str(suppression.get("code", "")), suppression.get("reason"), suppression.get("until")
    if code not in BY_CODE:
        return (
            "SUP004",
            f'"{code}" is ignored, and no rule has this code',
            did_you_mean(code, BY_CODE, "keywright rules"),
        )
    if not BY_CODE[code].is_suppressible:
        problem = f'"{code}" is ignored, and this rule cannot be suppressed'
        return "SUP005", problem, "correct the finding, and remove the line"
    if not isinstance(reason, str) or not reason.strip():
        return "SUP001", f'"{code}" is ignored without a reason', 'add reason: "..." with the reason'
    if until is None:
        return None
    last = until if isinstance(until, date) else _date(str(until))
    if last is None:
        return "SUP002", f'"{code}" is ignored until "{until}", which is not a date', 'write it as "2026-12-31"'
    if last < today:
        problem = f'"{code}" was ignored until {last}, and today is {today}'
        return "SUP002", problem, "correct the finding, or set a later until:"
    return None


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _matches(suppression: Mapping[str, Any], finding: Finding) -> bool:
    """Whether a suppression applies to a finding; without an object, it applies to all findings of its code."""
    if finding.code != suppression["code"]:
        return False
    object = suppression.get("object")
    return object is None or object in _names(finding)


def _names(finding: Finding) -> Iterator[str]:
    yield finding.object
    yield f"{finding.store}/{finding.object}"


def _invalid(problem: tuple[str, str, str], suppression: Mapping[str, Any], folder: str, at: Place) -> Finding:
    code, message, help = problem
    rule = BY_CODE[code]
    object = " ".join(str(suppression[key]) for key in ("code", "object") if suppression.get(key))
    return Finding(rule=rule, severity=rule.severity, message=message, help=help, object=object, version=folder, at=at)
