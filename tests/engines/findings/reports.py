"""Reports about the changes between versions of a small model file."""

from pathlib import Path
from textwrap import indent

import yaml
from tests.projects import with_imports
from tests.rules.migrations import case, codes, error_codes

from keywright.rules.rule import Finding, Report

HEADS = {
    "dynamodb": 'shop = kw.DynamoTable("shop"{head})',
    "mongodb": 'shop = kw.MongoDatabase("shop"{head})',
    "cassandra": 'shop = kw.Keyspace("shop"{head})',
    "redis": 'shop = kw.RedisServer("shop", role="primary"{head})',
}
STORES = {
    "dynamodb": 'kw.Item(shop, pk="ORDER#{{order_id}}", sk="ORDER"{store})',
    "mongodb": 'kw.Collection(shop, "orders", id="{{order_id}}"{store})',
    "cassandra": 'kw.CqlTable(shop, "orders", partition="order_id"{store})',
    "redis": 'kw.RedisHash(shop, key="order:{{order_id}}"{store})',
}


def model(engine: str, fields: str = "", *, head: str = "", store: str = "", above: str = "", tail: str = "") -> str:
    """A model file with one entity, `Order`, keyed by `order_id`.

    head, store: further options of the table, database, keyspace or server, and of the store.
    """
    lines = [
        above,
        HEADS[engine].format(head=head),
        "",
        "class Order(BaseModel):",
        f"    __store__: ClassVar = {STORES[engine].format(store=store)}",
        "    order_id: str",
        indent(fields, "    "),
        tail,
    ]
    return with_imports("\n".join(lines))


def report(folder: Path, *models: str, steps: object = None, sizes: dict[str, int] | None = None) -> Report:
    """The report about the last of several migrations, one for each model file."""
    times = {2: ("before", "after"), 3: ("before", "between", "after")}[len(models)]
    files = dict(zip(times, models, strict=True))
    if steps:
        files["migration"] = yaml.safe_dump({"steps": steps})
    if sizes:
        files["sizes"] = yaml.safe_dump(sizes)
    return case(folder, files).report


def codes_of(folder: Path, *models: str, steps: object = None, sizes: dict[str, int] | None = None) -> list[str]:
    """The codes of all findings, each once, sorted."""
    return codes(report(folder, *models, steps=steps, sizes=sizes))


def errors(folder: Path, *models: str, steps: object = None) -> list[str]:
    """The codes of all errors, each once, sorted."""
    return error_codes(report(folder, *models, steps=steps))


def the(code: str, report: Report) -> Finding:
    """The only finding of a code."""
    (finding,) = (finding for finding in report.findings if finding.code == code)
    return finding
