"""Fixes of findings, carried out on model files: all of a file's together, or none where its text is not plain."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from keywright.edit.heal import healed
from keywright.engines.flaws.fix import Spot
from keywright.ir.json import Json
from keywright.rules.rule import Finding


@dataclass(frozen=True, slots=True)
class Healed:
    """A model file, healed."""

    file: Path
    """Which."""
    before: str
    """Its text."""
    after: str
    """Its text with the fixes."""
    findings: tuple[Finding, ...]
    """What they heal."""


def heal(findings: Iterable[Finding], width: int, *, is_unsafe: bool) -> list[Healed]:
    """The files that change, with what that heals; what cannot be fixed by a program is left out.

    width: characters that a line may have. is_unsafe: whether fixes count that change keys, data, answers or cost.
    """
    by_file: dict[Path, list[Finding]] = {}
    for one in findings:
        if one.fix is not None and one.spot is not None and (one.fix.is_safe or is_unsafe):
            by_file.setdefault(file_of(one.spot), []).append(one)
    found = (_file_healed(file, these, width) for file, these in sorted(by_file.items()))
    return [one for one in found if one.findings]


def described(finding: Finding, width: int, relative: Callable[[str], str]) -> Json:
    """A finding's fix as documents have it: its class, and lines of a file that others take the place of.

    None where there is none, or none that can be written. An edit whose `end_line` is less than its `line` only adds
    lines, before that line.
    """
    if finding.fix is None or finding.spot is None:
        return None
    file = file_of(finding.spot)
    before = file.read_text(encoding="utf-8")
    after, done = healed(before, [(finding.spot, finding.fix)], width)
    if not done:
        return None
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    edits: list[Json] = [
        {"file": relative(str(file)), "line": first + 1, "end_line": last, "text": "".join(new[start:end])}
        for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if kind != "equal"
    ]
    return {"class": "safe" if finding.fix.is_safe else "unsafe", "edits": edits}


def file_of(spot: Spot) -> Path:
    """The file in which a fix is written."""
    return Path(spot.field_at.file or spot.declaration.file)


def _file_healed(file: Path, these: list[Finding], width: int) -> Healed:
    before = file.read_text(encoding="utf-8")
    after, done = healed(before, [(one.spot, one.fix) for one in these if one.spot and one.fix], width)
    return Healed(file, before, after, tuple(one for position, one in enumerate(these) if position in done))
