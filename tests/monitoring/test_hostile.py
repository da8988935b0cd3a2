"""Whatever environments and labels are called, promtool reads the rules, and their tests pass."""

import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.hostile.texts import TEXTS
from tests.monitoring.test_rules import rules_of, run

from keywright.api.monitoring import files
from keywright.compiler import Compiled
from keywright.project.environments.monitoring import Monitoring
from keywright.record import replace


def called(compiled: Compiled, name: str, label: str) -> Compiled:
    environment = replace(compiled.environment, name=name, monitoring=Monitoring(labels={"env": label}))
    return replace(compiled, environment=environment)


@settings(max_examples=3, deadline=None)
@example([("prod", "{{ .x }}"), ("prod", "{{{}}"), ("\n", "'{{"), ("a", '{{ "'), ("a", "}}")])
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=5, max_size=5))
def test_promtool_reads_rules_of_any_text(promtool: Path, prod: Compiled, texts: list[tuple[str, str]]) -> None:
    created: dict[str, str] = {}
    for at, (name, label) in enumerate(texts):
        full = files(called(prod, name, label))
        created |= {f"{at}/{path}": text for path, text in full.items() if "/redis.rules" in path}
        written = label.replace("{{", '{{ "{{" }}')  # promtool, below, sees that it is filled in as the label
        assert all(rule["labels"]["env"] == written for rule in rules_of(full, "redis") if "alert" in rule)
    with tempfile.TemporaryDirectory() as folder:
        assert run(promtool, Path(folder), created) == ""
