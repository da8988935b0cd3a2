"""Checks a project with other texts of its files, as a program for `recheck`.

`python -P -m keywright.api.check.recheck_child FILE` writes the result to a file, because models may print.
"""

import pickle
import sys
from datetime import date
from pathlib import Path

from keywright.compiler import plan_access, try_compile, try_load
from keywright.declare.locate import reading
from keywright.project.environments.policies import configuration_of
from keywright.project.settings import Settings, read_settings
from keywright.rules.models import MODELS
from keywright.rules.options import RuleOptions

from .environment_facts import is_judged_as_development
from .evaluate import evaluate_models
from .recheck import Fixable, Rechecked


def _check(settings: Settings, environment: str, today: date, options: RuleOptions) -> Rechecked | None:
    project, errors = try_load(settings)
    compiled, more = (None, errors) if errors else try_compile(project, environment)
    if compiled is None or more:
        return None
    follows_models = is_judged_as_development(compiled.environment)
    options = configuration_of(settings.root, environment).options(options, MODELS, follows_models=follows_models)
    findings = evaluate_models(compiled, today, options).findings
    rows = plan_access(compiled).rows
    return Rechecked(
        tuple(Fixable(finding.fingerprint, finding.fix, finding.location) for finding in findings),
        frozenset(f"{row.pattern.context}.{row.pattern.name}" for row in rows if not row.planned.is_served),
    )


def _main(output: str) -> None:
    texts, root, environment, today, options = pickle.load(sys.stdin.buffer)  # from the parent process
    with reading(texts):
        answer = _check(read_settings(root), environment, today, options)
    Path(output).write_bytes(pickle.dumps(answer))


if __name__ == "__main__":
    _main(*sys.argv[1:])
