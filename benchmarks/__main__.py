"""`python -m benchmarks`: every ratio of docs/benchmarks.md, with the peer that it is measured against.

`python -m benchmarks backfill` measures backfills of a real MongoDB server, `... backfill others` those of the others.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from .pairs import Command, Ratio, compare
from .thousand import write_plain, write_project

PYTHON = sys.executable
KEYWRIGHT = str(Path(PYTHON).with_name("keywright"))
CLEAR = (PYTHON, "-c", "import shutil; shutil.rmtree('build', True); shutil.rmtree('.keywright', True)")

_OTHER_LENGTH = """
from pathlib import Path
file = Path("models/part50.py")
text = file.read_text()
file.write_text(text.replace("=26", "=27") if "=26" in text else text.replace("=27", "=26"))
"""
EDIT = (PYTHON, "-c", _OTHER_LENGTH)


def main(runs: int = 11) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_project(folder)
        write_plain(folder)
        for words in (("diff", "-m", "first"), ("diff", "--check"), ("lint",)):
            subprocess.run([KEYWRIGHT, "-q", "migrate", *words], cwd=folder, check=True, capture_output=True)
        subprocess.run([KEYWRIGHT, "-q", "check"], cwd=folder, check=True, capture_output=True)
        bare = Command((PYTHON, "-c", "pass"), folder)
        check = (KEYWRIGHT, "check")
        plain = Command((PYTHON, "-c", "import plain"), folder)
        rows = (
            (
                "keywright --help",
                "python -c pass",
                4.5,
                compare(Command((KEYWRIGHT, "--help"), folder), bare, runs * 3),
            ),
            (
                "compile of 1000 models, cold",
                "Pydantic creating the same 1000 classes",
                1.6,
                compare(Command((KEYWRIGHT, "compile"), folder, before=CLEAR), plain, runs),
            ),
            (
                "compile --check of 1000 models, no change",
                "python -c pass",
                6.0,
                compare(Command((KEYWRIGHT, "compile", "--check"), folder), bare, runs * 3),
            ),
            (
                "check of 1000 models, no change",
                "python -c pass",
                6.0,
                compare(Command(check, folder), bare, runs * 3),
            ),
            (
                "migrate diff --check, 1000 models, no change",
                "python -c pass",
                6.0,
                compare(Command((KEYWRIGHT, "migrate", "diff", "--check"), folder), bare, runs * 3),
            ),
            (
                "migrate lint, 1000 models, no change",
                "python -c pass",
                6.0,
                compare(Command((KEYWRIGHT, "migrate", "lint"), folder), bare, runs * 3),
            ),
            (
                "check of 1000 models, one of 100 files edited",
                "the same, no change",
                15.0,
                compare(Command(check, folder, before=EDIT), Command(check, folder), runs),
            ),
        )
    print(f"{'what':46} {'peer':42} {'ratio':>6} {'10 % to 90 %':>14} {'goal':>5}")
    for what, peer, goal, ratio in rows:
        print(row(what, peer, goal, ratio))


def row(what: str, peer: str, goal: float, ratio: Ratio) -> str:
    """One line of the table."""
    spread = f"{ratio.low:.2f} to {ratio.high:.2f}"
    return f"{what:46} {peer:42} {ratio.median:6.2f} {spread:>14} {goal:5.1f}"


if __name__ == "__main__":
    if sys.argv[1:] == ["backfill"]:  # starts a server of its own
        from .backfill import main as backfill

        backfill()
    elif sys.argv[1:] == ["backfill", "others"]:
        from .backfill_others import main as backfill_others

        backfill_others()
    else:
        main(*map(int, sys.argv[1:]))
