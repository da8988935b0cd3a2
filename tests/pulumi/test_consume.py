"""Consumers of streams, as the models declare them and a program connects them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]

PROGRAM = """
import keywright.pulumi

tables = keywright.pulumi.Tables("dynamodb")
tables.consume({arguments})
"""

SHOP = '"shop", "order-search", "arn:of:function"'
QUEUE = 'queue="arn:of:queue"'


def asked(arguments: str, tmp_path: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """What a program with this call says to a mock of the engine."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(arguments=arguments), encoding="utf-8")
    environment = "prod" if variables else "dev"
    return subprocess.run(
        [sys.executable, "-m", "tests.pulumi.recorded", environment, str(program)],
        cwd=ROOT, env={**os.environ, **variables}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def mappings(done: "subprocess.CompletedProcess[str]") -> list[Any]:
    assert done.returncode == 0, done.stderr
    resources = json.loads(done.stdout)["resources"]
    return [
        resource for resource in resources if resource["type"] == "aws:lambda/eventSourceMapping:EventSourceMapping"
    ]


def test_a_declared_consumer_is_connected_with_what_it_declares(tmp_path: Path) -> None:
    (entry,) = mappings(asked(f"{SHOP}, {QUEUE}", tmp_path))
    assert entry["name"] == "shop/order-search"
    assert entry["object"] == {
        "eventSourceArn": "arn:of:shop/stream",
        "functionName": "arn:of:function",
        "startingPosition": "TRIM_HORIZON",
        "batchSize": 100,
        "bisectBatchOnFunctionError": True,
        "functionResponseTypes": ["ReportBatchItemFailures"],
        "maximumRetryAttempts": 5,
        "destinationConfig": {"onFailure": {"destinationArn": "arn:of:queue"}},
        "tags": {"team": "shop", "stage": "dev"},
    }
    assert entry["parent"].endswith("::dynamodb")
    (entry,) = mappings(asked(f"{SHOP}, {QUEUE}, batch_size=10, retries=2", tmp_path))
    assert (entry["object"]["batchSize"], entry["object"]["maximumRetryAttempts"]) == (10, 2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (f'"shoop", "order-search", "arn", {QUEUE}', 'no table is called "shoop"'),
        (f'"shop", "order-serach", "arn", {QUEUE}', 'the stream of table "shop" has no consumer "order-serach"'),
        (f'"devices", "order-search", "arn", {QUEUE}', 'table "devices" has no stream'),
        (SHOP, 'consumer "order-search" declares on_failure="queue", but has no queue'),
    ],
)
def test_what_is_not_declared_is_a_sentence(arguments: str, words: str, tmp_path: Path) -> None:
    done = asked(arguments, tmp_path)
    assert done.returncode != 0
    assert words in done.stderr
    assert "help: " in done.stderr


def test_a_stream_that_is_still_to_come_is_told(tmp_path: Path) -> None:
    done = asked(f'"messaging", "push", "arn", {QUEUE}', tmp_path, KEYWRIGHT_POSITION="0001/10")
    assert mappings(done) == []
    assert 'the stream of table "messaging" is not migrated yet, so "push" is not connected' in done.stderr


DIRECT = """
import pulumi
import keywright as kw
from keywright.provision.dynamodb import streams

consumer = kw.Consumer("audit", idempotency="id", on_failure="{on_failure}")
arns = {{"stream": "arn:of:stream", "function": "audit", "queue": {queue}}}
streams.mapping("shop/audit", consumer, arns, batch_size=1, retries=3, tags={{}}, options=pulumi.ResourceOptions())
"""


def direct(on_failure: str, queue: str | None, tmp_path: Path) -> "subprocess.CompletedProcess[str]":
    program = tmp_path / "program.py"
    program.write_text(DIRECT.format(on_failure=on_failure, queue=repr(queue)), encoding="utf-8")
    command = [sys.executable, "-m", "tests.pulumi.recorded", "dev", str(program)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("on_failure", "attempts"), [("retry", -1), ("drop", 3)])
def test_a_consumer_without_a_queue_tries_for_ever_or_drops(on_failure: str, attempts: int, tmp_path: Path) -> None:
    (entry,) = mappings(direct(on_failure, None, tmp_path))
    assert entry["object"]["maximumRetryAttempts"] == attempts
    assert "destinationConfig" not in entry["object"]
    done = direct(on_failure, "arn:of:queue", tmp_path)
    assert f'consumer "audit" declares on_failure="{on_failure}", but has a queue' in done.stderr
