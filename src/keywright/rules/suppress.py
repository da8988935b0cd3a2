"""Suppressions: what is accepted for a reason, and what is wrong with accepting it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Protocol

from keywright.errors import Place, did_you_mean

from .catalogue import BY_CODE
from .places import Lines
from .rule import Accepted, Finding, Report


class _Version(Protocol):
    """A version, as far as this is about it."""

    @property
    def folder(self) -> str:
        """The name of its folder."""

    @property
    def ignore(self) -> Sequence[Mapping[str, Any]]:
        """What is accepted in it."""


def set_aside(found: Sequence[Finding], version: _Version, today: date, file: str, lines: Lines) -> Report:
    """The findings that are left, those that are not, and what is wrong with the suppressions themselves."""
    left, accepted, wrong = list(found), list[Accepted](), list[Finding]()
    for at, one in enumerate(version.ignore):
        place = Place(file, lines.get(f"ignore {at}", 1 if file else 0))
        problem = _problem(one, today)
        if problem is None:
            taken = [finding for finding in left if _is_meant(one, finding)]
            left = [finding for finding in left if finding not in taken]
            until = None if one.get("until") is None else str(one["until"])
            accepted += (Accepted(finding, str(one["reason"]), until) for finding in taken)
            if not taken:
                said = f'"{one["code"]}"' + (f' of "{one["object"]}"' if one.get("object") else "")
                problem = ("SUP003", f"{said} is ignored, and nothing of that kind is found", "take the line away")
        if problem is not None:
            wrong.append(_wrong(problem, one, version.folder, place))
    return Report((*left, *wrong), tuple(accepted))


def _problem(one: Mapping[str, Any], today: date) -> tuple[str, str, str] | None:
    """(code, problem, help) of a suppression that does not count; None for one that does."""
    code, reason, until = str(one.get("code", "")), one.get("reason"), one.get("until")
    if code not in BY_CODE:
        return "SUP004", f'"{code}" is ignored, and no rule has that code', did_you_mean(code, BY_CODE)
    if not BY_CODE[code].is_suppressible:
        return "SUP005", f'"{code}" is ignored, which may not be', "put right what it finds, and take the line away"
    if not isinstance(reason, str) or not reason.strip():
        return "SUP001", f'"{code}" is ignored for no reason', 'add reason: "why it is right here"'
    if until is None:
        return None
    last = until if isinstance(until, date) else _date(str(until))
    if last is None:
        return "SUP002", f'"{code}" is ignored until "{until}", which is no day', 'write it as "2026-12-31"'
    if last < today:
        return "SUP002", f'"{code}" was ignored until {last}, and today is {today}', "put it right, or say a later day"
    return None


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _is_meant(one: Mapping[str, Any], finding: Finding) -> bool:
    """Whether a suppression is about a finding; one that names no object is about all of its code."""
    if finding.code != one["code"]:
        return False
    object = one.get("object")
    return object is None or object in _names(finding)


def _names(finding: Finding) -> Iterator[str]:
    yield finding.object
    yield f"{finding.store}/{finding.object}"


def _wrong(problem: tuple[str, str, str], one: Mapping[str, Any], folder: str, at: Place) -> Finding:
    code, message, help = problem
    rule = BY_CODE[code]
    object = " ".join(str(one[key]) for key in ("code", "object") if one.get(key))
    return Finding(rule=rule, severity=rule.severity, message=message, help=help, object=object, version=folder, at=at)
