"""An `up` that is killed at any moment, and two at once: the next one finishes, and nothing is lost or made twice."""

import os
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.interrupts import unmeasured
from tests.pulumi.world import World

pytestmark = pytest.mark.live

MOMENTS = ['create index "slug_1"']
"""What an `up` has said when it is killed."""

if os.environ.get("KEYWRIGHT_CHAOS"):
    MOMENTS += [
        'create table "viewing_history"',
        "creating",
        "keywright:migrations:Run",
        "keywright:redis:Settings sessions",
        "aws:dynamodb:Table shop",
    ]


def started(world: World, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        ["pulumi", "up", "--yes", "--skip-preview", "-s", "dev", "--non-interactive", *arguments], cwd=world.root,
        env=unmeasured(world.environment()), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL, text=True, start_new_session=True,
    )  # fmt: skip


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_up_that_is_killed_is_finished_by_the_next(dev: World, moment: str) -> None:
    with started(dev) as process:
        assert process.stdout
        for line in process.stdout:
            if moment in line:
                dev.kill(process.pid)  # Pulumi alone, as the kernel would: its plugins see that it is gone
                break
        else:
            pytest.fail(f"it never said {moment}")
        process.stdout.close()
    said = dev.pulumi("up", "--yes", "--skip-preview", "-s", "dev")
    assert said.code != 0
    assert "locked" in said.text
    assert dev.pulumi("cancel", "--yes", "dev").code == 0
    said = dev.pulumi("up", "--yes", "--skip-preview", "-s", "dev")
    if said.code != 0:  # what was on its way at that moment: Pulumi asks to look at what is there
        assert "pending operations" in said.text, said.text
    dev.up("dev", "--refresh")
    dev.up("dev", "--expect-no-changes")


def test_an_up_that_is_broken_off_ends_soon_and_the_next_goes_on(dev: World) -> None:
    with started(dev) as process:
        assert process.stdout
        for line in process.stdout:
            if "creating" in line:
                process.send_signal(signal.SIGINT)
                break
        rest = process.stdout.read()
    assert process.returncode != 0
    assert "src/keywright/" not in rest  # Pulumi's own script may be stopped while it complains that the engine is gone
    dev.up("dev")
    dev.up("dev", "--expect-no-changes")


def test_of_two_ups_at_once_one_refuses_and_none_does_harm(dev: World, mongodb: Any) -> None:
    def up(delay: float) -> tuple[int, str]:
        time.sleep(delay)
        said = dev.pulumi("up", "--yes", "--skip-preview", "-s", "dev")
        return said.code, said.text

    with ThreadPoolExecutor(2) as both:
        ended = list(both.map(up, (0, 0.7)))
    assert sorted(code != 0 for code, _ in ended) in ([False, False], [False, True])
    assert all("Traceback" not in text for _, text in ended)
    dev.up("dev")
    dev.up("dev", "--expect-no-changes")
    assert len(mongodb.dev_content.posts.index_information()) == 5
