"""A generated project of tables, and a Pulumi program that somebody wrote by hand for the same tables."""

import itertools
from pathlib import Path
from typing import Any

from keywright import api
from keywright.engines.dynamodb.schema.resources import options, to_resource
from keywright.provision.values import snake

_STACK = """
config:
  keywright:environment:
    mode: dev
    tags: {team: shop, stage: dev}
    dynamodb: {flavour: dynamodb, protect: false, name-prefix: "MAIN-"}
"""

_PROJECT = """
name: tables
main: MAIN
stackConfigDir: stacks
runtime: {name: python, options: {toolchain: pip, virtualenv: .venv}}
"""

_HEAD = """
from datetime import datetime
from typing import Annotated, ClassVar, Literal

import keywright as kw
"""

_TABLE = """

by_status_{n} = kw.Gsi("by_status", pk=["status", "placed_at"], project="keys")
by_owner_{n} = kw.Gsi("by_owner", pk="owner_id", sk="placed_at", project=["status"])
orders_{n} = kw.DynamoTable("orders{n}", gsis=[by_status_{n}, by_owner_{n}])


class Order{n}(kw.Model):
    __store__: ClassVar = kw.Item(orders_{n}, pk="ORDER#{{order_id}}", sk="ORDER")

    order_id: str
    owner_id: str
    placed_at: datetime
    status: Literal["new", "paid", "sent"]
    expires_at: Annotated[datetime, kw.Ttl()]
"""

OURS = """
import pulumi
import keywright.pulumi

tables = keywright.pulumi.Tables("dynamodb")
pulumi.export("tables", tables.names)
pulumi.export("table_arns", tables.arns)
"""

_THEIRS = """
import pulumi
import pulumi_aws as aws

tables = {}
"""


_NUMBERS = itertools.count()
"""Of model files, which have names of their own, as several projects are compiled in one process."""


def write_tables(folder: Path, count: int, main: str) -> None:
    """A project of so many tables, each with two indexes, expiry and tags; and both programs.

    main: the one that Pulumi runs, `ours` or `theirs`.
    """
    for name in ("stacks", "ours", "theirs"):
        (folder / name).mkdir(parents=True)
    models = f"orders_{next(_NUMBERS)}.py"
    (folder / "pyproject.toml").write_text(f'[tool.keywright]\nmodels = ["{models}"]\n')
    (folder / "Pulumi.yaml").write_text(_PROJECT.replace("MAIN", main))
    (folder / "stacks" / "Pulumi.dev.yaml").write_text(_STACK.replace("MAIN", main))
    (folder / models).write_text(_HEAD + "".join(_TABLE.format(n=n) for n in range(count)))
    (folder / "ours" / "__main__.py").write_text(OURS)
    (folder / "theirs" / "__main__.py").write_text(_by_hand(folder))


def _by_hand(folder: Path) -> str:
    """A program with one call for each table, as short as the SDK allows: plain dicts in place of its classes."""
    parts = [_THEIRS]
    for target in api.compile(api.load(str(folder))).targets:
        placed: Any = target.placed
        words = "".join(f"    {name}={value!r},\n" for name, value in snake(to_resource(placed)).items())
        told: Any = options(placed)
        timeouts = ", ".join(f"{name}={value!r}" for name, value in told["customTimeouts"].items())
        flags = f"protect={told['protect']}, retain_on_delete={told['retainOnDelete']}"
        opts = f"pulumi.ResourceOptions({flags}, custom_timeouts=pulumi.CustomTimeouts({timeouts}))"
        name = repr(target.declared.name)
        parts.append(f"tables[{name}] = aws.dynamodb.Table(\n    {name},\n{words}    opts={opts},\n)\n")
    for output, attribute in (("tables", "name"), ("table_arns", "arn")):
        parts.append(f'pulumi.export("{output}", {{name: table.{attribute} for name, table in tables.items()}})\n')
    return "".join(parts)
