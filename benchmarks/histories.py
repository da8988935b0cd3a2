"""`python -m benchmarks.histories`: commands over many migrations, against the same models with a single one.

User CPU of whole processes in turn, nothing remembered; a first migration of 200 models, and 59 that add a field each.
That both histories lead to the same is asserted before anything is timed.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from keywright import api
from keywright.api.author.diff import difference
from keywright.engines.contract.change import Change
from keywright.engines.registry import engine_of
from keywright.migrations.author.draft import Draft
from keywright.migrations.author.planner import author
from keywright.migrations.rendered import rendered
from keywright.migrations.snapshot import applied
from keywright.project.migrations.folder import files_of, read_folder, write_migrations
from keywright.project.settings import read_settings
from keywright.record import replace

from .pairs import ENVIRONMENT
from .thousand import write_project

KEYWRIGHT = str(Path(sys.executable).with_name("keywright"))
FILES, VERSIONS, PAIRS = 20, 60, 7

COMMANDS: dict[str, tuple[str, ...]] = {
    "migrate diff --check": ("migrate", "diff", "--check"),
    "migrate lint": ("migrate", "lint"),
    "migrate snapshot": ("migrate", "snapshot"),
    "check": ("check",),
}
"""Commands that need no server, by their names."""


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        many, path = Path(name) / "many", Path(name) / "one"
        write_project(many, FILES)
        _keywright(many, "migrate", "diff", "-m", "first")
        for at in range(1, VERSIONS):
            _add_field(many, at)
        shutil.copytree(many, path, ignore=shutil.ignore_patterns("migrations", ".keywright", "__pycache__"))
        _keywright(path, "migrate", "diff", "-m", "first")
        write_history(many)
        ends = [read_folder(read_settings(folder)).migrations[-1].snapshot for folder in (path, many)]
        assert ends[0].stores == ends[1].stores
        first, whole = _bytes(many / "migrations" / "0001_first"), _bytes(many / "migrations")
        rest = (whole - first) / (VERSIONS - 1)
        print(f"folder of {VERSIONS} migrations: {whole / 1e6:.2f} MB; the first {first / 1e6:.2f} MB, "
              f"each other {rest / 1e3:.1f} kB")  # fmt: skip
        for what, words in COMMANDS.items():
            pairs = [(_cpu_seconds(many, words), _cpu_seconds(path, words)) for _ in range(PAIRS + 1)][1:]
            ratios = sorted(a / b for a, b in pairs)
            print(f"{what:22} {VERSIONS} migrations / 1: {statistics.median(ratios):.2f} "
                  f"({ratios[1]:.2f} to {ratios[-2]:.2f}), goal <= 1.3")  # fmt: skip


def write_history(folder: Path) -> None:
    """Bring the folder of migrations to its models, by a migration for each field that they add."""
    sys.path[:] = [path for path in sys.path if not (Path(path) / "models").is_dir()]  # the generated ones are meant
    compiled = api.compile(api.load(str(folder)))
    made = read_folder(compiled.project.settings)
    model_difference = difference(compiled, made)
    groups: dict[int, list[Change]] = {}
    for change in model_difference.changes:
        match = re.search(r"added_(\d+)", repr(change))
        assert match is not None, change
        groups.setdefault(int(match[1]), []).append(change)
    assert len(groups) == VERSIONS - 1
    migrations, last = [*made.migrations], made.migrations[-1]
    for at, (field, changes) in enumerate(sorted(groups.items()), start=2):
        after = replace(last.snapshot, stores=applied(last.snapshot.stores, changes))
        draft = Draft(before=last.snapshot, after=after)
        migration = author(draft, engine_of, number=f"{at:04d}", slug=f"field_{field}", parent=last.number)
        files = rendered(migration, last.snapshot, engine_of)
        write_migrations(made.path, [one.folder for one in migrations], [(migration, files)])
        migrations.append(migration)
        last = migration


def _add_field(folder: Path, at: int) -> None:
    """One more field in the model of that number, times three."""
    number = at * 3
    file = folder / "models" / f"part{number // 10}.py"
    before, name, after = file.read_text().partition(f"class M{number}(kw.Model)")
    last = "    score: float = 0.0\n"
    file.write_text(before + name + after.replace(last, f"{last}    added_{at}: str | None = None\n", 1))


def _keywright(folder: Path, *words: str) -> None:
    subprocess.run([KEYWRIGHT, "-q", *words], cwd=folder, check=True, capture_output=True, env=ENVIRONMENT)


def _cpu_seconds(folder: Path, words: Sequence[str]) -> float:
    """User CPU of one process, without what an earlier one has remembered."""
    shutil.rmtree(folder / ".keywright", ignore_errors=True)
    process = subprocess.Popen(
        [KEYWRIGHT, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, words
    return usage.ru_utime


def _bytes(folder: Path) -> int:
    return sum(len(content) for content in files_of(folder).values())


if __name__ == "__main__":
    main()
