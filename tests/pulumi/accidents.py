"""`python -m tests.pulumi.accidents NAME`: a classic accident with a table, as the real command line previews it.

The program is one that somebody wrote by hand; the provider is the stand-in.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any, TypeAlias

from tests.pulumi import program
from tests.pulumi.world import World

from keywright import local
from keywright.local import Running, WantedServer

PREVIEWS = Path(__file__).parent / "previews"

BEFORE = """\
import pulumi
import pulumi_aws as aws

Index = aws.dynamodb.TableGlobalSecondaryIndexArgs
Part = aws.dynamodb.TableGlobalSecondaryIndexKeySchemaArgs

aws.dynamodb.Table(
    "orders", name="orders", billing_mode="PAY_PER_REQUEST", hash_key="id", deletion_protection_enabled=True,
    attributes=[{"name": "id", "type": "S"}, {"name": "day", "type": "S"}],
    global_secondary_indexes=[Index(name="by_day", projection_type="ALL", hash_key="day")],
    opts=pulumi.ResourceOptions(protect=True),
)
"""


REPLICATED = BEFORE.replace(
    "    opts=",
    """\
    stream_enabled=True, stream_view_type="NEW_AND_OLD_IMAGES",
    replicas=[
        Replica(region_name="us-east-1", kms_key_arn="arn:one", deletion_protection_enabled=True),
        Replica(region_name="us-west-2", kms_key_arn="arn:two", deletion_protection_enabled=True),
    ],
    opts=""",
).replace("Part = ", "Replica = aws.dynamodb.TableReplicaArgs\nPart = ")
"""The same table with copies in two other regions."""

SCALED = """\
import pulumi
import pulumi_aws as aws

def index(name, capacity):
    return aws.dynamodb.TableGlobalSecondaryIndexArgs(
        name=name, projection_type="ALL", hash_key=name, read_capacity=capacity, write_capacity=capacity)

aws.dynamodb.Table(
    "orders", name="orders", hash_key="id", read_capacity=5, write_capacity=5,
    attributes=[{"name": name, "type": "S"} for name in ("id", "day", "user")],
    global_secondary_indexes=[index("day", 5), index("user", 90)],
    opts=pulumi.ResourceOptions(ignore_changes=["globalSecondaryIndexes[0].readCapacity"]),
)
"""
"""A table of which something else scales an index."""

_REWRITTEN = ('hash_key="day"', 'key_schemas=[Part(attribute_name="day", key_type="HASH")]')
_UNPROTECTED = (
    ("deletion_protection_enabled=True", "deletion_protection_enabled=False"),
    ("protect=True", "protect=False"),
)

Edits: TypeAlias = tuple[tuple[str, str], ...]
"""(what stood in a program, what stands there now)."""

ACCIDENTS: dict[str, tuple[str, Edits]] = {
    "spelling": (BEFORE, (_REWRITTEN,)),
    "rewritten": (
        BEFORE, (_REWRITTEN, ("protect=True", 'replace_on_changes=["globalSecondaryIndexes"]'), _UNPROTECTED[0])
    ),
    "unprotected": (BEFORE, (*_UNPROTECTED, ('hash_key="id"', 'hash_key="id", range_key="day"'))),
    "moved": (SCALED, (('index("day", 5), index("user", 90)', 'index("user", 90), index("day", 5)'),)),
    "region": (
        REPLICATED,
        (('        Replica(region_name="us-east-1", kms_key_arn="arn:one", deletion_protection_enabled=True),\n', ""),),
    ),
    "copies": (
        REPLICATED,
        (
            ('"arn:one", deletion_protection_enabled=True', '"arn:one", deletion_protection_enabled=False'),
            ('"arn:two"', '"arn:three"'),
        ),
    ),
}  # fmt: skip
"""The program, and how it was edited, by the name of the file in `previews/`.

A provider that makes a table anew for another spelling of its keys is played by `replace_on_changes`.
"""

KEPT = ("op", "urn", "diffReasons", "replaceReasons", "detailedDiff")
"""What of a step is kept, beside its states."""

STATE = ("type", "urn", "inputs", "protect", "retainOnDelete", "ignoreChanges")
"""What of a state is kept."""


def previewed(world: World, before: str, edits: Edits) -> str:
    """The steps with tables that change something, as `pulumi preview --json` tells them."""
    file = world.root / "stacks" / "__main__.py"
    file.write_text(before, encoding="utf-8")
    for words in (("stack", "init", "dev"), ("up", "--yes", "-s", "dev")):
        said = world.pulumi(*words)
        assert said.code == 0, said.text
    for old, new in edits:
        world.edit("stacks/__main__.py", old, new)
    steps = [_trimmed(entry) for entry in world.preview("dev") if "dynamodb" in entry["urn"]]
    return json.dumps({"steps": steps}, indent=1) + "\n"


def _trimmed(step: Any) -> Any:
    states = {
        side: {word: step[side][word] for word in STATE if word in step[side]}
        for side in ("oldState", "newState")
        if step.get(side)
    }
    return {**{word: step[word] for word in KEPT if step.get(word)}, **states}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        wanted = [WantedServer("dynamodb", "dynamodb")]
        (answer,) = local.up(root / "servers", wanted, required={"dynamodb"}, tell=lambda event: None)
        assert isinstance(answer, Running)
        try:
            world = World(root / "shop", program.build(), answer.url)
            world.prepare()
            print(previewed(world, *ACCIDENTS[sys.argv[1]]), end="")
        finally:
            local.down(root / "servers", tell=lambda event: None)
