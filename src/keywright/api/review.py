"""What a branch does to a project, compared with where it began: for `keywright pr`."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

from keywright.engines.classes import Class, row_of
from keywright.engines.registry import engine_of
from keywright.history.author import Draft, changes
from keywright.history.gates import awaited
from keywright.history.snapshot import Snapshot
from keywright.history.wording import named
from keywright.project.export import uncommitted
from keywright.project.migrations import MIGRATION, Edited, read_folder
from keywright.project.settings import Settings
from keywright.report.review import BECAME, Added, Became, Changed, Pattern, Review, Row, Violation
from keywright.rules.judge import spent

from .base import added, base_of
from .choice import options_of
from .lint import Linted, lint
from .revision import Revision
from .revision_child import placed, relative_to, revision_of

_WORST = "".join(one.value for one in reversed(Class))


def review(
    settings: Settings, reference: str, environment: str, today: date, violations: Sequence[Violation] | None = None
) -> Review:
    """What the work tree does to a project in an environment, against the branch, tag or commit that it left.

    violations: what policies say of a preview; None if there is none. Raises as `base_of` does.
    """
    options = options_of(settings)
    with ThreadPoolExecutor(1) as beside:  # the base is read by a process of its own, meanwhile
        waiting = beside.submit(base_of, settings, reference, environment, today, options)
        now = revision_of(settings, environment, today, options)
        base = waiting.result()
    before, prefix = base.revision, base.exported.prefix
    here = _below(prefix)
    linted = lint(settings, today, base=base.exported.tip)
    counts = Counter(str(one["fingerprint"]) for one in before.findings)
    new = list(added(((str(one["fingerprint"]), one) for one in now.findings), counts))
    known = {one["fingerprint"] for one in (*now.findings, *now.accepted)}
    taken = {one["fingerprint"] for one in before.accepted}
    is_compared = before.is_compiled and now.is_compiled
    return Review(
        reference=reference,
        commit=base.exported.commit,
        project=prefix,
        environment=environment,
        is_dirty=uncommitted(settings),
        is_new=base.exported.root is None,
        is_compiled=now.is_compiled,
        problem=_problem(before),
        changes=tuple(_changes(before.snapshot, now.snapshot)) if is_compared else (),
        ahead=tuple(_ahead(settings, now.snapshot)),
        versions=tuple(_versions(settings, linted, prefix)),
        lint=placed(linted.report, relative_to(settings.root, prefix)),
        served=(_served(before.patterns), _served(now.patterns)),
        patterns=tuple(_patterns(before, now, here)) if is_compared else (),
        added=tuple(map(here, new)),
        healed=tuple(here(one) for one in before.findings if one["fingerprint"] not in known),
        accepted=tuple(here(one) for one in now.accepted if one["fingerprint"] not in taken),
        left=len(now.findings) - len(new),
        violations=violations,
    )


def _problem(before: Revision) -> str:
    if before.problem or before.is_compiled:
        return before.problem
    count = len(before.findings)
    return f"the models do not compile there ({count} {'error' if count == 1 else 'errors'})"


def _changes(before: Snapshot | None, after: Snapshot | None) -> Iterator[Changed]:
    """The changes between two snapshots, as the next version would have them; the worst first."""
    assert before is not None
    assert after is not None
    found = changes(Draft(before=before, after=after, hints=spent(before, after)), engine_of)
    rows = [(change, row_of(engine_of(change.store).classes, change)) for change in found]
    rows.sort(key=lambda it: min(map(_WORST.index, it[1].classes)))
    return (Changed(change.store, change.object, row.classes, named(change), row.why) for change, row in rows)


def _ahead(settings: Settings, after: Snapshot | None) -> Iterator[str]:
    """What the models say that no version says; nothing where there is no version, or the folder is not in order."""
    try:
        head = read_folder(settings).head
    except Edited:
        return
    if head is not None and after is not None:
        before = head.snapshot
        yield from map(named, changes(Draft(before=before, after=after, hints=spent(before, after)), engine_of))


def _versions(settings: Settings, linted: Linted, prefix: str) -> Iterator[Added]:
    for one in read_folder(settings).versions if linted.versions else ():
        if one.folder in linted.versions:
            file = f"{prefix}{settings.migrations.rstrip('/')}/{one.folder}/{MIGRATION}"
            classes = tuple(landing.classes for landing in one.landings)
            gates = tuple(awaited(stage) for stage in one.stages if stage.is_gate)
            yield Added(one.folder, file, classes, len(one.stages), gates)


def _served(rows: Iterable[Row]) -> Mapping[str, int]:
    verdicts = Counter(_verdict(one) for one in rows)
    return {verdict: verdicts[verdict] for verdict in ("served", "unserved", "not served")}


def _verdict(one: Row) -> str:
    return "served" if one["served"] else "unserved" if one["unserved"] else "not served"


def _patterns(before: Revision, after: Revision, here: Callable[[Row], Row]) -> Iterator[Pattern]:
    """The patterns that are served otherwise, the worst first."""
    old, new = ({(one["context"], one["name"]): one for one in side.patterns} for side in (before, after))
    found: list[Pattern] = []
    for key in dict.fromkeys((*new, *old)):
        was, now = old.get(key), new.get(key)
        if became := _became(was, now):
            found.append(Pattern(became, here(was) if was else None, here(now) if now else None))
    order = list(BECAME)
    return iter(sorted(found, key=lambda one: order.index(one.became)))


_PATH = ("store", "by", "query", "residual", "fan_out", "order", "consistency")


_TURNED: Mapping[str, Became] = {"served": "served", "unserved": "given up", "not served": "unserved"}
"""What has become of a pattern with another verdict than before, by its verdict now."""


def _became(was: Row | None, now: Row | None) -> Became | None:
    """What has become of a pattern; None if nothing has."""
    if now is None:
        return "removed"
    verdict = _verdict(now)
    if was is None:
        return "not served" if verdict == "not served" else "added"
    if _verdict(was) != verdict:
        return _TURNED[verdict]
    if any(was[key] != now[key] for key in _PATH):
        return "path"
    return "cost" if _cost(was) != _cost(now) else None


def _cost(one: Row) -> tuple[Any, ...] | None:
    cost = one["cost"]
    return cost and tuple(cost[key] for key in ("low", "expected", "high", "unit"))


def _below(prefix: str) -> Callable[[Row], Row]:
    """Gives a row of a project its place in the repository."""

    def here(one: Row) -> Row:
        file = one["at"]["file"]
        return {**one, "at": {**one["at"], "file": f"{prefix}{file}" if file and file[0] != "/" else file}}

    return here
