"""What was seen of a live store, as pages and tests write it, and what rules say of it."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import yaml
from tests.projects import SHORT, SOUND, a_project, imported_alone

from keywright import api
from keywright.api.judged import judge_live, whole_of
from keywright.engines.flaws.observation import Asked, Items, Observation, Sample, Seen, Way
from keywright.pages.catalogue import OBSERVED
from keywright.rules.rule import Finding


def seen_of(compiled: api.Compiled, text: str) -> Seen:
    """An observation that names its `target`; what is not told was not seen. The target is there as it is wanted."""
    told: dict[str, Any] = yaml.safe_load(text)
    whole, name = whole_of(compiled), told.pop("target")
    target = next(one for one in whole.targets if one.declared.name == name)
    found = Observation(
        items={entity: _items(one) for entity, one in told.pop("items", {}).items()},
        places={place: tuple(names) for place, names in told.pop("places", {}).items()},
        strays={place: (count, Sample(read, noun="item")) for place, (count, read) in told.pop("strays", {}).items()},
        ways=tuple(Way(**one) for one in told.pop("ways", ())),
        asked={pattern: Asked(calls=1, **_tuples(one)) for pattern, one in told.pop("asked", {}).items()},
        unseen=tuple(told.pop("unseen", ())),
        **told,
    )
    return Seen(whole=whole, target=target, found=found, live=target)


def _items(told: dict[str, Any]) -> Items:
    """Items of an entity; `of` says how many were read, about how many there are, and what one is called."""
    lists = {path: tuple(lengths) for path, lengths in told.pop("lists", {}).items()}
    orphans = {path: tuple(counts) for path, counts in told.pop("orphans", {}).items()}
    return Items(sample=Sample(*told.pop("of")), lists=lists, orphans=orphans, **_tuples(told))


def _tuples(told: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in told.items()}


def findings_of_live(folder: Path, files: Mapping[str, str]) -> tuple[Finding, ...]:
    """What rules find in a project of these files and in what was seen of it."""
    folder.mkdir(exist_ok=True)
    with imported_alone(folder):
        models = {path: text for path, text in files.items() if path != OBSERVED}
        settings = a_project(folder, {"stacks/Pulumi.dev.yaml": SOUND, **models})
        compiled = api.compile(api.load(settings.root), "dev")
        return judge_live(compiled, [seen_of(compiled, files[OBSERVED])], date(2026, 11, 22), SHORT).findings
