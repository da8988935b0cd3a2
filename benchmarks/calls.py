"""`python -m benchmarks.calls REF`: client CPU of calls, against the source of another commit, which validated nothing.

Each side has a process of its own; the two take turns of some milliseconds, because a busy machine is faster at one
moment than at the next. DynamoDB's client is stopped before the network, so that all that is measured is the call,
boto3 and the model. Ratios are those of neighbouring turns.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

TURNS, CALLS = 200, {"get": 25, "put": 25, "update": 25, "read of 20": 5}
"""Turns of each side for each call, and calls of a turn."""

MODELS = """
from datetime import UTC, datetime
from decimal import Decimal
from typing import ClassVar, Literal
from pydantic import BaseModel
import keywright as kw

table = kw.DynamoTable("shop")

class Line(BaseModel):
    sku: str
    quantity: int
    price: Decimal

class Order(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="U#{user_id}", sk="O#{order_id}")
    user_id: str
    order_id: str
    placed_at: datetime
    status: Literal["placed", "paid"]
    total: Decimal
    gift: bool
    note: str | None
    points: int
    tags: list[str]
    lines: list[Line]

get = kw.Get(Order)
put = kw.Put(Order)
pay = kw.Update(Order, sets=["status", "total"])
of_user = kw.Read(Order, eq="user_id", limit=20)
"""

WORKER = """
import gc, sys, time, json
from datetime import UTC, datetime
from decimal import Decimal
sys.path.insert(0, sys.argv[1])
import boto3
from botocore.awsrequest import AWSResponse
from keywright import runtime
from models import shop

class Raw:
    def __init__(self, body): self.body = body
    def stream(self, *a, **k): yield self.body
    def read(self, *a, **k): return self.body

client = boto3.client("dynamodb", region_name="us-east-1", endpoint_url="http://127.0.0.1:1",
                      aws_access_key_id="local", aws_secret_access_key="local")
line = shop.Line(sku="S-1", quantity=2, price=Decimal("4.95"))
order = shop.Order(user_id="u", order_id="o", placed_at=datetime(2026, 1, 1, tzinfo=UTC), status="placed",
                   total=Decimal("9.90"), gift=False, note="ring", points=3, tags=["a", "b"], lines=[line, line])
item = runtime.to_item(order)
bodies = {"GetItem": {"Item": item}, "Query": {"Items": [item] * 20, "Count": 20}}
def answer(request, **k):
    name = request.headers["X-Amz-Target"].decode().partition(".")[2]
    return AWSResponse("", 200, {}, Raw(json.dumps(bodies.get(name, {})).encode()))
client.meta.events.register("before-send.dynamodb.*", answer)
db = runtime.open(shop, environment="dev", dynamodb=client)
calls = {
    "get": lambda: shop.get(db, user_id="u", order_id="o"),
    "put": lambda: shop.put(db, order),
    "update": lambda: shop.pay(db, user_id="u", order_id="o", status="paid", total=Decimal("1.50")),
    "read of 20": lambda: shop.of_user(db, user_id="u"),
}
for call in calls.values():
    for _ in range(200): call()
gc.collect()
gc.freeze()
print("ready", flush=True)
for line in sys.stdin:
    name, count = line.rstrip().rsplit(" ", 1)
    call = calls[name]
    started = time.process_time()
    for _ in range(int(count)): call()
    print(time.process_time() - started, flush=True)
"""


def main(ref: str) -> None:
    """Measure and print a line for each kind of call."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before = folder / "before"
        before.mkdir()
        archive = subprocess.run(["git", "archive", ref, "src"], check=True, capture_output=True).stdout
        subprocess.run(["tar", "x", "-C", str(before)], input=archive, check=True)
        _project(folder)
        with _worker(folder, Path("src").resolve()) as ours, _worker(folder, before / "src") as theirs:
            for call in CALLS:
                ratios = [_seconds(ours, call) / _seconds(theirs, call) for _ in range(TURNS)]
                tenths = statistics.quantiles(ratios, n=10)
                median = statistics.median(ratios)
                print(f"{call:12} {median:5.2f} ({tenths[0]:.2f} to {tenths[-1]:.2f}), goal at most 1.15", flush=True)


def _project(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.keywright]\nmodels = ["models"]\n')
    (folder / "stacks").mkdir()
    stack = "config:\n  keywright:environment:\n    mode: dev\n    dynamodb: {flavour: dynamodb}\n"
    (folder / "stacks" / "Pulumi.dev.yaml").write_text(stack)
    (folder / "models").mkdir()
    (folder / "models" / "__init__.py").touch()
    (folder / "models" / "shop.py").write_text(MODELS)
    (folder / "worker.py").write_text(WORKER)


@contextmanager
def _worker(folder: Path, source: Path) -> Iterator[tuple[IO[str], IO[str]]]:
    """A process with an open database of that source: where it is told what to call, and where it answers."""
    argv, environment = [sys.executable, "worker.py", str(source)], {**os.environ, "PYTHONPATH": ""}
    with subprocess.Popen(
        argv, cwd=folder, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process.stdin, process.stdout


def _seconds(worker: tuple[IO[str], IO[str]], call: str) -> float:
    """CPU seconds of one turn."""
    orders, answers = worker
    print(call, CALLS[call], file=orders, flush=True)
    return float(answers.readline())


if __name__ == "__main__":
    main(sys.argv[1])
