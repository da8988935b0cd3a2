"""Checks a project with other texts of its files, in a process of `recheck_child` because models are code."""

import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from keywright.engines.findings.fix import Fix, FixLocation
from keywright.project.settings import Settings
from keywright.record import Record
from keywright.rules.options import RuleOptions


class Fixable(Record):
    """The parts of a finding that a fix needs."""

    fingerprint: str
    """The finding's fingerprint."""
    fix: Fix | None
    """The fix that removes the finding."""
    location: FixLocation | None
    """The place of the fix."""


class Rechecked(Record):
    """The result of a check."""

    findings: tuple[Fixable, ...]
    """All findings, without suppressed ones."""
    unserved: frozenset[str]
    """Names of the unserved access patterns, with their modules."""

    @property
    def counts(self) -> Counter[str]:
        """Number of findings of each fingerprint."""
        return Counter(finding.fingerprint for finding in self.findings)

    def adds_nothing_to(self, before: "Rechecked") -> bool:
        """Whether no finding and no unserved pattern is new."""
        return not self.counts - before.counts and self.unserved <= before.unserved


Recheck = Callable[[Mapping[str, str]], Rechecked | None]
"""Checks the project with other texts of files, by path; None if it would not compile."""


def rechecking(settings: Settings, environment: str, today: date, options: RuleOptions) -> Recheck:
    """A function that checks a project in an environment.

    today: the date that decides which suppressions have expired. options: options of the rules.
    """

    def recheck(texts: Mapping[str, str]) -> Rechecked | None:
        with TemporaryDirectory(prefix="keywright-") as folder:
            output = Path(folder) / "rechecked"
            done = subprocess.run(
                [sys.executable, "-P", "-m", "keywright.api.check.recheck_child", str(output)], cwd=settings.root,
                input=pickle.dumps((dict(texts), str(settings.root), environment, today, options)), capture_output=True,
                check=False,
            )  # fmt: skip
            if done.returncode or not output.is_file():
                return None
            answer: Rechecked | None = pickle.loads(output.read_bytes())  # written by this program's own process
            return answer

    return recheck
