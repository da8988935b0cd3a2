"""What a project said of itself where a branch began: by a process of its own, since models are code.

`fingerprints(settings, reference, environment, today, options)` is what `check --git-base` subtracts, by `added`.
"""

import os
import pickle
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
from keywright.rules.options import Options

from .judged import USUAL
from .revision import NOTHING, Revision, from_json

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Base:
    """The base of a branch."""

    exported: Exported
    """Its commits, and the project's folder in the repository; the folder that it was exported to is gone."""
    revision: Revision
    """What the project said of itself then; `NOTHING` where there was none yet."""


def base_of(settings: Settings, reference: str, environment: str, today: date, options: Options = USUAL) -> Base:
    """What a project said of itself in an environment where the work tree left a branch, tag or commit.

    today: the day by which it is decided what is still accepted. options: how rules are asked; those of the work tree,
    so that a setting that changes adds and heals nothing. Models that do not compile there are findings of the
    revision, not an error. UsageError where git does not know the reference, or has nothing in common with it;
    Unavailable where there is no git.
    """
    with exported(settings, reference) as found:
        revision = _read(found.root, environment, today, options) if found.root else NOTHING
    return Base(found, revision)


def fingerprints(
    settings: Settings, reference: str, environment: str, today: date, options: Options = USUAL
) -> Counter[str]:
    """How often each fingerprint is among the findings of the base, without what is accepted there.

    today, options, and what is raised: as of `base_of`.
    """
    found = base_of(settings, reference, environment, today, options).revision.findings
    return Counter(str(one["fingerprint"]) for one in found)


def added(found: Iterable[tuple[str, T]], before: Counter[str]) -> Iterator[T]:
    """What is found now and was not before: each of `found` is a fingerprint and what it is of."""
    left = Counter(before)
    for fingerprint, one in found:
        left[fingerprint] -= 1
        if left[fingerprint] < 0:
            yield one


def _read(root: Path, environment: str, today: date, options: Options) -> Revision:
    """The revision of a project in a folder, from a process that runs there."""
    output = root.parent / f".{root.name}.revision"
    done = subprocess.run(
        [sys.executable, "-P", "-m", "keywright.api.revision_child", str(output)], cwd=root, env=_environment(),
        input=pickle.dumps((environment, today, options)), capture_output=True, check=False,
    )  # fmt: skip
    if done.returncode or not output.is_file():
        said = done.stderr.decode(errors="replace").strip() or f"Python exits with {done.returncode}"
        return Revision(problem=f"the models could not be read: {said.splitlines()[-1]}")
    return from_json(output.read_text(encoding="utf-8"))


def _environment() -> dict[str, str]:
    """Our own, without what names this project, and with the same places to import from."""
    kept = {name: value for name, value in os.environ.items() if name not in ("KEYWRIGHT_PROJECT", "KEYWRIGHT_ENV")}
    if path := kept.get("PYTHONPATH"):
        kept["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, path.split(os.pathsep)))
    return kept
