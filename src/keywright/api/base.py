"""What a project said of itself where a branch began: by a process of its own, since models are code.

`fingerprints(settings, reference, environment, today)` is what `check --git-base` subtracts.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TypeVar

from keywright.project.export import Exported, exported
from keywright.project.settings import Settings

from .revision import NOTHING, Revision, from_json

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Base:
    """The base of a branch."""

    exported: Exported
    """Its commits, and the project's folder in the repository; the folder that it was exported to is gone."""
    revision: Revision
    """What the project said of itself then; `NOTHING` where there was none yet."""


def base_of(settings: Settings, reference: str, environment: str, today: date) -> Base:
    """What a project said of itself in an environment where the work tree left a branch, tag or commit.

    Models that do not compile there are findings of the revision, not an error. UsageError where git does not know the
    reference, or has nothing in common with it; Unavailable where there is no git.
    """
    with exported(settings, reference) as found:
        revision = _read(found.root, environment, today) if found.root else NOTHING
    return Base(found, revision)


def fingerprints(settings: Settings, reference: str, environment: str, today: date) -> Counter[str]:
    """How often each fingerprint is among the findings of the base, without what is accepted there.

    Raises as `base_of`.
    """
    found = base_of(settings, reference, environment, today).revision.findings
    return Counter(str(one["fingerprint"]) for one in found)


def added(found: Iterable[tuple[str, T]], before: Counter[str]) -> Iterator[T]:
    """What is found now and was not before: each of `found` is a fingerprint and what it is of."""
    left = Counter(before)
    for fingerprint, one in found:
        left[fingerprint] -= 1
        if left[fingerprint] < 0:
            yield one


def _read(root: Path, environment: str, today: date) -> Revision:
    """The revision of a project in a folder, from a process that runs there."""
    output = root.parent / f".{root.name}.revision"
    words = ["-P", "-m", "keywright.api.revision_child", environment, today.isoformat(), str(output)]
    done = subprocess.run(
        [sys.executable, *words], cwd=root, env=_environment(), stdin=subprocess.DEVNULL, capture_output=True,
        text=True, encoding="utf-8", errors="replace", check=False,
    )  # fmt: skip
    if done.returncode or not output.is_file():
        last = (done.stderr.strip() or f"Python exits with {done.returncode}").splitlines()[-1]
        return Revision(problem=f"the models could not be read: {last}")
    return from_json(output.read_text(encoding="utf-8"))


def _environment() -> dict[str, str]:
    """Our own, without what names this project, and with the same places to import from."""
    kept = {name: value for name, value in os.environ.items() if name not in ("KEYWRIGHT_PROJECT", "KEYWRIGHT_ENV")}
    if path := kept.get("PYTHONPATH"):
        kept["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, path.split(os.pathsep)))
    return kept
