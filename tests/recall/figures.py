"""Checks the projects, and counts the planted mistakes that findings name and the findings that are wrong.

A planted mistake is named if a finding on `bad/` has one of its codes and one of its objects. A finding that `good/`
has too, in the same words, names nothing. Every finding on `good/` that review.toml does not call right is wrong.
Questions assert nothing: they are counted, and neither name a mistake nor are wrong.

`codes` in planted.toml are those that say what is wrong; a complaint of something else about the same object is none.
"""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import keywright

HERE = Path(__file__).parent

DOMAINS = sorted(file.parent.name for file in HERE.glob("*/planted.toml"))

HELD_OUT = frozenset[str]()
"""Domains that nobody has looked at while rules were written: new ones, before their findings are judged."""

TUNED = frozenset(DOMAINS) - HELD_OUT
"""Domains that rules were improved on; their figures say little about others."""


class Planted(NamedTuple):
    """An entry of planted.toml; without codes, `wanted` says what a rule would have to say."""

    id: str
    file: str
    object: str
    sentence: str
    codes: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    wanted: str = ""


class Judgement(NamedTuple):
    """An entry of review.toml: whether an expert would agree with a finding on the sound project."""

    code: str
    object: str
    judgement: str
    reason: str


class Seen(NamedTuple):
    """What is compared of a finding."""

    code: str
    object: str
    message: str
    is_question: bool = False


class Result(NamedTuple):
    """The findings on both projects of a domain, compared with what was planted."""

    named: tuple[Planted, ...]
    missed: tuple[Planted, ...]
    right: tuple[Seen, ...]
    wrong: tuple[Seen, ...]
    findings: int
    """Number of findings on `bad/`."""
    questions: tuple[Seen, ...] = ()
    """Questions about `good/`."""


def planted(domain: str) -> list[Planted]:
    """The mistakes of `bad/`, in the order of the draw."""
    entries = tomllib.loads((HERE / domain / "planted.toml").read_text(encoding="utf-8"))["planted"]
    return [
        Planted(**{key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()})
        for entry in entries
    ]


def judgements(domain: str) -> list[Judgement]:
    """The findings on `good/` that were judged."""
    entries = tomllib.loads((HERE / domain / "review.toml").read_text(encoding="utf-8")).get("finding", [])
    return [Judgement(**entry) for entry in entries]


def measure(domain: str) -> Result:
    """Check both projects of a domain in production with the strict profile."""
    return compare(planted(domain), judgements(domain), _check(domain, "good"), _check(domain, "bad"))


def compare(mistakes: Iterable[Planted], judged: Iterable[Judgement], good: list[Seen], bad: list[Seen]) -> Result:
    """Compare the findings on the sound and on the planted project with what is known of them."""
    questions = tuple(seen for seen in good if seen.is_question)
    good, bad = ([seen for seen in findings if not seen.is_question] for findings in (good, bad))
    telling = {(seen.code, seen.object) for seen in set(bad) - set(good)}
    named, missed = [], []
    for mistake in mistakes:
        pairs = {(code, name) for code in mistake.codes for name in (mistake.object, *mistake.objects)}
        (named if pairs & telling else missed).append(mistake)
    agreed = {(entry.code, entry.object) for entry in judged if entry.judgement == "right"}
    return Result(
        named=tuple(named),
        missed=tuple(missed),
        right=tuple(seen for seen in good if (seen.code, seen.object) in agreed),
        wrong=tuple(seen for seen in good if (seen.code, seen.object) not in agreed),
        findings=len(bad),
        questions=questions,
    )


def _check(domain: str, project: str) -> list[Seen]:
    report = keywright.check(HERE / domain / project, "prod", profile="strict")
    if report.errors:
        raise ExceptionGroup(f"{domain}/{project} does not compile", list(report.errors))
    return [
        Seen(finding.code, finding.object, finding.message, finding.severity == "question")
        for finding in report.findings
    ]
