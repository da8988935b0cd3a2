"""A small project whose stores are services of AWS, and the program of somebody who runs them."""

from tests.projects import with_imports

MODELS = with_imports(
    """
    sessions = kw.RedisServer("sessions", role="cache")
    events = kw.RedisServer("shop-events", role="queue", persistence=[])
    billing = kw.ConsumerGroup("billing", idempotency="order_id", claim_after=timedelta(minutes=1))
    content = kw.MongoDatabase("content")


    class Session(BaseModel):
        __store__: ClassVar = kw.RedisHash(sessions, key="session:{token}", ttl=timedelta(hours=1))
        token: str
        user_id: str


    class OrderEvent(BaseModel):
        __store__: ClassVar = kw.RedisStream(events, key="events:orders", keep=1_000, groups=[billing])
        order_id: str


    class Draft(BaseModel):
        __store__: ClassVar = kw.Collection(content, "drafts", id="{draft_id}", indexes=[])
        draft_id: str
        gone_at: Annotated[datetime, kw.Ttl()]
    """
)

PROGRAM = """
import pulumi
import pulumi_aws as aws

import keywright.pulumi

groups = keywright.pulumi.provision().parameter_groups
aws.elasticache.ReplicationGroup(
    "sessions", replication_group_id="sessions", description="Sessions", engine="valkey", engine_version="{version}",
    node_type="cache.r7g.large", parameter_group_name=groups["sessions"],
)
"""

STACK = """
config:
  aws:region: eu-west-1
  keywright:environment:
    mode: dev
    tags: {{team: shop}}
    redis: {{flavour: {flavour}, version: "{version}"}}
    mongodb: {{flavour: documentdb, version: "5.0", protect: false}}
"""


def files(flavour: str, version: str) -> dict[str, str]:
    """The files of the project, for a flavour of Redis."""
    return {
        "models/shop.py": MODELS,
        "stacks/__main__.py": PROGRAM.format(version=version),
        "stacks/Pulumi.dev.yaml": STACK.format(flavour=flavour, version=version),
    }
