"""What was seen of a live store, as pages and tests write it, and what rules say of it."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import yaml
from tests.projects import SHORT, SOUND, a_project, imported_alone, without_crashes

from keywright import api
from keywright.api.check.evaluate import context_of, evaluate_live
from keywright.engines.contract.observer import LiveIndex
from keywright.engines.findings.observation import (
    ExplainedPattern,
    Items,
    LiveTarget,
    Observation,
    SampleSize,
)
from keywright.pages.catalogue import OBSERVED
from keywright.rules.rule import Finding


def seen_of(compiled: api.Compiled, text: str) -> LiveTarget:
    """An observation that names its `target`; what is not told was not seen. The target is there as it is wanted."""
    document: dict[str, Any] = yaml.safe_load(text)
    context, name = context_of(compiled), document.pop("target")
    target = next(
        target_in_environment
        for target_in_environment in context.targets
        if target_in_environment.declared.name == name
    )
    observation = Observation(
        items={entity: _items(entry) for entity, entry in document.pop("items", {}).items()},
        places={place: tuple(names) for place, names in document.pop("places", {}).items()},
        unknown_items={
            place: (count, SampleSize(read, noun="item"))
            for place, (count, read) in document.pop("unknown_items", {}).items()
        },
        indexes=tuple(LiveIndex(**entry) for entry in document.pop("ways", ())),
        explained={
            pattern: ExplainedPattern(calls=1, **_tuples(entry)) for pattern, entry in document.pop("asked", {}).items()
        },
        unseen=tuple(document.pop("unseen", ())),
        **document,
    )
    return LiveTarget(context=context, target=target, observation=observation, live=target)


def _items(told: dict[str, Any]) -> Items:
    """Items of an entity; `of` says how many were read, about how many there are, and what one is called."""
    lists = {path: tuple(lengths) for path, lengths in told.pop("lists", {}).items()}
    orphans = {path: tuple(counts) for path, counts in told.pop("orphans", {}).items()}
    return Items(sample=SampleSize(*told.pop("of")), lists=lists, orphans=orphans, **_tuples(told))


def _tuples(told: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in told.items()}


def findings_of_live(folder: Path, files: Mapping[str, str]) -> tuple[Finding, ...]:
    """What rules find in a project of these files and in what was seen of it."""
    folder.mkdir(exist_ok=True)
    with imported_alone(folder):
        models = {path: text for path, text in files.items() if path != OBSERVED}
        settings = a_project(folder, {"stacks/Pulumi.dev.yaml": SOUND, **models})
        compiled = api.compile(api.load(settings.root), "dev")
        report = evaluate_live(compiled, [seen_of(compiled, files[OBSERVED])], date(2026, 11, 22), SHORT)
        return without_crashes(report.findings)
