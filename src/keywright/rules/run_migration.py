"""The run of all rules on a migration, and its suppressions."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Protocol

from keywright.engines.findings.migration.context import EffectIndex, MigrationContext, MigrationFindingDraft
from keywright.engines.findings.migration.effect import Effect, effects
from keywright.engines.findings.migration.migration import (
    ChangeFacts,
    Hints,
    NumberedChangeInfo,
    SnapshotInfo,
    StepInfo,
)
from keywright.engines.registry import facts_of
from keywright.errors import Place
from keywright.record import Record, field

from .catalogue import changes_about
from .rule import Finding, Report, Rule
from .suppressions import suppress
from .yaml_lines import Lines

BLOCKING = frozenset(("RN101", "RN102", "RB101", "RB102", "BC101", "DS106"))
"""Errors for probably unintended effects: a migration with such an error is not written."""

KEYS = frozenset(("RB101", "RB102"))
"""Codes of changes after which existing items cannot be found."""


class MigrationInfo(Protocol):
    """A migration, because rules cannot import `migrations`."""

    @property
    def folder(self) -> str:
        """The name of its folder."""

    @property
    def changes(self) -> Sequence[NumberedChangeInfo]:
        """Its changes."""

    @property
    def steps(self) -> Sequence[StepInfo]:
        """Its steps."""

    @property
    def snapshot(self) -> SnapshotInfo:
        """The snapshot after it."""

    @property
    def ignore(self) -> Sequence[Mapping[str, Any]]:
        """Its suppressions."""


class LintInputs(Record, kw_only=True):
    """Optional inputs beside the folder of a migration."""

    hints: Hints | None = None
    """Former names in the models; None for those that the migration itself applies."""
    sizes: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """Bytes of tables by store and key, from a server."""
    owners: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Teams by store and object, from the models."""
    file: str = ""
    """The file of the findings' places; empty for an unwritten migration."""
    lines: Lines = field(default_factory=dict)
    """Line of each change, step and suppression in it."""
    facts: Callable[[str], ChangeFacts] = facts_of
    """The facts about changes of a store's engine."""


NO_INPUTS = LintInputs()
"""No further inputs."""


def run(before: SnapshotInfo, migration: MigrationInfo, today: date, inputs: LintInputs = NO_INPUTS) -> Report:
    """The findings about a migration.

    before: the snapshot before it. today: the day that decides which suppressions have expired.
    """
    return run_in_context(context_of(before, migration, inputs), migration, today, inputs)


def run_in_context(
    context: MigrationContext, migration: MigrationInfo, today: date, inputs: LintInputs = NO_INPUTS
) -> Report:
    """See `run`; for a migration with an existing context."""
    findings = [_finding(rule, draft, migration.folder, inputs) for rule, draft in _drafts(context)]
    rank = {"error": 0, "warning": 1}
    findings.sort(
        key=lambda finding: (rank[finding.severity], finding.at.line, finding.store, finding.object, finding.code)
    )
    return suppress(findings, migration, today, inputs.file, inputs.lines)


def destructive(context: MigrationContext) -> Iterator[Effect]:
    """Effects that drop or rebuild objects, without parts of dropped objects."""
    for effect in context.effects:
        is_rebuilt = effect.kind == "AlterIndex" and "O" in effect.classes
        if (effect.kind.startswith("Drop") or is_rebuilt or "D" in effect.classes) and not context.is_part_of_dropped(
            effect
        ):
            yield effect


def changed_keys(before: SnapshotInfo, after: SnapshotInfo, hints: Hints) -> Iterator[tuple[Effect, Finding]]:
    """(effect, finding) for the codes of `KEYS` between two snapshots, without a migration."""
    unwritten = _Unwritten(after)
    context = context_of(before, unwritten, LintInputs(hints=hints))
    effects = {(effect.store, effect.object): effect for effect in context.effects}
    for rule, draft in _drafts(context, KEYS):
        yield effects[draft.store, draft.object], _finding(rule, draft, unwritten.folder, NO_INPUTS)


class _Unwritten(Record):
    """A `MigrationInfo` of which only the last snapshot is known."""

    snapshot: SnapshotInfo
    folder: str = ""
    changes: Sequence[NumberedChangeInfo] = ()
    steps: Sequence[StepInfo] = ()
    ignore: Sequence[Mapping[str, Any]] = ()


def blocking(report: Report) -> tuple[Finding, ...]:
    """The findings that prevent the writing of a migration."""
    return tuple(finding for finding in report.findings if finding.code in BLOCKING and finding.severity == "error")


def context_of(before: SnapshotInfo, migration: MigrationInfo, inputs: LintInputs = NO_INPUTS) -> MigrationContext:
    """The input of rules for a migration."""
    renames = {
        (numbered_change.change.store, numbered_change.change.path): str(numbered_change.change.before)
        for numbered_change in migration.changes
        if numbered_change.change.kind.startswith("Rename")
    }
    hints = dict(inputs.hints) if inputs.hints is not None else applied_hints(before, migration.snapshot)
    net_effects = effects(before, migration.snapshot, inputs.facts, {**hints, **renames})
    return MigrationContext(
        before=before,
        after=migration.snapshot,
        effects=net_effects,
        index=EffectIndex.of(net_effects, migration.changes),
        changes=tuple(migration.changes),
        steps=tuple(migration.steps),
        hints=hints,
        sizes=inputs.sizes,
        owners=inputs.owners,
    )


def applied_hints(before: SnapshotInfo, after: SnapshotInfo) -> dict[tuple[str, tuple[str, ...]], str]:
    """The hints that a migration applies: those that its snapshot records and the one before does not."""
    hints: dict[tuple[str, tuple[str, ...]], str] = {}
    for key, old in after.renamed.items():
        if before.renamed.get(key) != old:
            store, _, path = key.partition(" ")
            hints[store, tuple(path.split("/"))] = old
    return hints


def _drafts(
    context: MigrationContext, codes: Container[str] | None = None
) -> Iterator[tuple[Rule, MigrationFindingDraft]]:
    for rule in changes_about(effect.engine for effect in context.effects):
        if codes is not None and rule.code not in codes:
            continue
        assert rule.check is not None, rule.code
        yield from ((rule, draft) for draft in rule.check(context))


def _finding(rule: Rule, draft: MigrationFindingDraft, folder: str, inputs: LintInputs) -> Finding:
    return Finding(
        rule=rule,
        severity="warning" if draft.is_mild else rule.severity,
        message=draft.problem,
        help=draft.help,
        store=draft.store,
        object=draft.object,
        version=folder,
        at=Place(inputs.file, inputs.lines.get(draft.anchor, 1 if inputs.file else 0)),
    )
