"""`python -m benchmarks.provisioning`: the Pulumi program, against one that somebody wrote by hand for the same tables.

First both against an engine in the same process, whole processes in turn; that they make the same requests is asserted
before anything is timed. Then `pulumi up` that has nothing to do, by the real command line, with the stand-in for the
AWS provider over DynamoDB Local; this part is left out where there is no command line.
"""

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.pulumi import program
from tests.pulumi.world import World

from keywright import local
from keywright.local import Running, WantedServer

from .pairs import Command, Ratio, compare
from .tables import write_tables

MOCKED = (sys.executable, str(Path(__file__).with_name("mocked.py")))
SIDES = ("ours", "theirs")

FORGET = (sys.executable, "-c", "import shutil; shutil.rmtree('.keywright', True)")
"""As if a model had been edited since the program ran last."""


def main(runs: int = 21) -> None:
    """Measure and print."""
    for count in (20, 200):
        print(row(f"program of {count} tables", "at most 1.1", mocked(count, runs)))
        print(row(f"program of {count} tables, models changed", "none", mocked(count, runs, before=FORGET)))
    programs = program.found()
    if programs is None:
        print(f"`pulumi up` of 20 tables: left out, as {program.HINT}")
    else:
        print(row("`pulumi up` of 20 tables, nothing to do", "at most 1.3", up(20, programs, runs)))


def row(what: str, goal: str, ratio: Ratio) -> str:
    """One line."""
    return f"{what:40} {ratio.median:.2f} ({ratio.low:.2f} to {ratio.high:.2f}), goal: {goal}"


def mocked(count: int, runs: int, before: Sequence[str] = ()) -> Ratio:
    """The programs against an engine in their own process, which makes everything at once.

    before: a command that is run, untimed, before each time of ours.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_tables(folder, count, "ours")
        ours, theirs = (folder / side / "__main__.py" for side in SIDES)
        assert _told(ours) == _told(theirs)
        peer = Command((*MOCKED, str(theirs)), folder)
        return compare(Command((*MOCKED, str(ours)), folder, before=before), peer, runs)


def _told(file: Path) -> object:
    """The requests of a program for tables."""
    told = (*MOCKED, "--tell", str(file))
    return json.loads(subprocess.run(told, cwd=file.parent, capture_output=True, check=True).stdout)


def up(count: int, programs: Path, runs: int) -> Ratio:
    """`pulumi up` of two stacks in turn, after both have been made."""
    with tempfile.TemporaryDirectory() as name:
        servers = Path(name) / "servers"
        (answer,) = local.up(
            servers, [WantedServer("dynamodb", "dynamodb")], required={"dynamodb"}, tell=lambda event: None
        )
        assert isinstance(answer, Running)
        try:
            worlds = [_world(Path(name) / side, programs, answer.url, count) for side in SIDES]
            times = [[_seconds(world) for world in worlds] for _ in range(runs + 1)][1:]
        finally:
            local.down(servers, tell=lambda event: None)
    ratios = [ours / theirs for ours, theirs in times]
    tenths = statistics.quantiles(ratios, n=10)
    return Ratio(statistics.median(ratios), tenths[0], tenths[-1])


def _world(folder: Path, programs: Path, endpoint: str, count: int) -> World:
    """A stack that has its tables, under names of its own."""
    folder.mkdir()
    world = World(folder / "project", programs, endpoint)
    world.prepare()
    for name in ("models", "migrations", "stacks"):
        shutil.rmtree(world.root / name)
    write_tables(world.root, count, folder.name)
    assert world.pulumi("stack", "init", "dev").code == 0
    _seconds(world)
    return world


def _seconds(world: World) -> float:
    started = time.perf_counter()
    said = world.pulumi("up", "--yes", "-s", "dev")
    assert said.code == 0, said.text
    return time.perf_counter() - started


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
