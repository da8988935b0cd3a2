"""What was seen of a live store, as pages write it, and what rules say of it."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import yaml
from tests.projects import SHORT, SOUND, a_project, imported_alone

from keywright import api
from keywright.api.judged import judge_live, whole_of
from keywright.engines.flaws.observation import Observation, Seen, Way
from keywright.pages.catalogue import OBSERVED
from keywright.rules.rule import Finding


def seen_of(compiled: api.Compiled, text: str) -> Seen:
    """An observation that names its `target`."""
    told: dict[str, Any] = yaml.safe_load(text)
    whole, name = whole_of(compiled), told.pop("target")
    target = next(one for one in whole.targets if one.declared.name == name)
    ways = tuple(Way(**one) for one in told.pop("ways", ()))
    found = Observation(**{**told, "unseen": tuple(told.get("unseen", ()))}, ways=ways)
    return Seen(whole=whole, target=target, found=found)


def findings_of_live(folder: Path, files: Mapping[str, str]) -> tuple[Finding, ...]:
    """What rules find in a project of these files and in what was seen of it."""
    folder.mkdir(exist_ok=True)
    with imported_alone(folder):
        models = {path: text for path, text in files.items() if path != OBSERVED}
        settings = a_project(folder, {"stacks/Pulumi.dev.yaml": SOUND, **models})
        compiled = api.compile(api.load(settings.root), "dev")
        return judge_live(compiled, [seen_of(compiled, files[OBSERVED])], date(2026, 11, 22), SHORT).findings
