"""Applies fixes to model files: those after which the project compiles and has no new finding.

All fixes of a file are computed on one text. Overlapping fixes wait for the next round, which starts with the findings
of the fixed project. A separate process checks each attempt before anything is written.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from keywright.edit.apply_fixes import with_fixes
from keywright.engines.findings.fix import FixLocation
from keywright.ir.json import Json
from keywright.record import Record, field, replace
from keywright.rules.rule import Finding

from .recheck import Fixable, Recheck, Rechecked


class FixedFile(Record):
    """A model file with fixes."""

    file: Path
    """Its path."""
    before: str
    """Its text before the fixes."""
    after: str
    """Its text with the fixes."""
    findings: tuple[Finding, ...]
    """Findings that the fixes remove."""


def fix_all(findings: Iterable[Finding], width: int, recheck: Recheck, *, is_unsafe: bool) -> list[FixedFile]:
    """The files that change, with the findings that this removes.

    Findings without a fix, and fixes that would add a finding, are left out. width: maximum characters of a line.
    is_unsafe: whether to apply fixes that change keys, data, answers or cost.
    """
    fixable = [
        finding for finding in findings if finding.location and finding.fix and (finding.fix.is_safe or is_unsafe)
    ]
    rechecked = recheck({}) if fixable else None
    if rechecked is None:
        return []
    state, done = _State(rechecked), list[Finding]()
    while fixable:
        state, fixed = _Round(state, fixable, width, recheck).run()
        if not fixed:
            break
        done += fixed
        fixable = _remaining(fixable, fixed, state)
    files = {
        file: [finding for finding in done if finding.location and file_of(finding.location) == file]
        for file in map(Path, state.texts)
    }
    return [
        FixedFile(file, _text(file, {}), _text(file, state.texts), tuple(fixed))
        for file, fixed in sorted(files.items())
    ]


def described(finding: Finding, width: int, relative: Callable[[str], str]) -> Json:
    """A finding's fix for JSON documents: its class, and edits that replace lines of a file.

    None if there is no fix, or it cannot be written. An edit whose `end_line` is less than its `line` only adds lines,
    before that line.
    """
    if finding.fix is None or finding.location is None:
        return None
    file = file_of(finding.location)
    before = _text(file, {})
    after, done = with_fixes(before, [(finding.location, finding.fix)], width)
    if not done:
        return None
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    edits: list[Json] = [
        {"file": relative(str(file)), "line": first + 1, "end_line": last, "text": "".join(new[start:end])}
        for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if kind != "equal"
    ]
    return {"class": "safe" if finding.fix.is_safe else "unsafe", "edits": edits}


def file_of(location: FixLocation) -> Path:
    """The file in which a fix is written."""
    return Path(location.field_at.file or location.declaration.file)


class _State(Record):
    """The project with the accepted fixes."""

    checked: Rechecked
    """Findings of the project in this state."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Texts of changed files, by path."""


class _Round(Record):
    """One attempt to apply fixes to a state."""

    initial: _State
    """The state before the attempt."""
    fixable: Sequence[Finding]
    """Findings with a fix and a fix location."""
    width: int
    """Maximum characters of a line."""
    recheck: Recheck
    """Checks the project with other texts."""

    def run(self) -> tuple[_State, list[Finding]]:
        """The state with as many compatible fixes as possible, and the findings that they remove."""
        positions = self._edited(range(len(self.fixable)))[1]
        state, accepted = self._with(self.initial, [], positions)
        return state, [self.fixable[position] for position in accepted]

    def _with(self, state: _State, accepted: list[int], more: Sequence[int]) -> tuple[_State, list[int]]:
        """The state with the further fixes that add no finding: all of them, else those of each half."""
        if not more:
            return state, accepted
        attempt = self._try([*accepted, *more])
        if attempt is not None:
            return attempt, [*accepted, *more]
        if len(more) == 1:
            return state, accepted
        half = len(more) // 2
        return self._with(*self._with(state, accepted, more[:half]), more[half:])

    def _try(self, positions: Sequence[int]) -> _State | None:
        """The state with these fixes; None if they add a finding, or do not remove one of theirs."""
        texts, done = self._edited(positions)
        rechecked = self.recheck(texts) if len(done) == len(positions) else None
        if rechecked is None or not rechecked.adds_nothing_to(self.initial.checked):
            return None
        removed = Counter(self.fixable[position].fingerprint for position in positions)
        before, after = self.initial.checked.counts, rechecked.counts
        is_left = any(before[key] and after[key] > max(0, before[key] - count) for key, count in removed.items())
        return None if is_left else _State(rechecked, texts)

    def _edited(self, positions: Iterable[int]) -> tuple[dict[str, str], list[int]]:
        """(texts of all changed files, positions of the fixes in them)."""
        by_file: dict[Path, list[int]] = {}
        for position in positions:
            location = self.fixable[position].location
            assert location is not None
            by_file.setdefault(file_of(location), []).append(position)
        texts, done = dict(self.initial.texts), list[int]()
        for file, group in sorted(by_file.items()):
            fixes = [
                (finding.location, finding.fix)
                for finding in (self.fixable[at] for at in group)
                if finding.location and finding.fix
            ]
            texts[str(file)], applied = with_fixes(_text(file, texts), fixes, self.width)
            done += (group[at] for at in sorted(applied))
        return texts, done


def _remaining(findings: Sequence[Finding], fixed: Sequence[Finding], state: _State) -> list[Finding]:
    """The findings that remain to be fixed, each with its present location."""
    now: dict[str, list[Fixable]] = {}
    for candidate in state.checked.findings:
        now.setdefault(candidate.fingerprint, []).append(candidate)
    remaining = []
    for finding in findings:
        if finding not in fixed and now.get(finding.fingerprint):
            current = now[finding.fingerprint].pop(0)
            remaining.append(replace(finding, fix=current.fix, location=current.location))
    return [finding for finding in remaining if finding.fix and finding.location]


def _text(file: Path, texts: Mapping[str, str]) -> str:
    text = texts.get(str(file))
    return file.read_text(encoding="utf-8") if text is None else text
