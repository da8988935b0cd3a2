"""INF208: an ElastiCache group runs a version that is no longer looked after."""

from collections.abc import Iterator

from keywright.engines.capability import is_older
from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

GROUP = "aws:elasticache/replicationGroup:ReplicationGroup"


def resource(one: Resource, *, oldest: str = "6.2") -> Iterator[Flaw]:
    """Every group that says an older version.

    oldest: the first version that will do; 4 and 5 have left standard support:
    https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/engine-versions.html (2026-11-22).
    """
    if one.type != GROUP:
        return
    version = one.value("engineVersion")
    if version is not None and is_older(str(version).removesuffix(".x"), oldest.partition(".")[0]):
        yield Flaw(
            problem=f"engineVersion is {version}, {oldest} or later is looked after",
            help='say engine="valkey", engine_version="8.0": the service changes it in place',
            subject=one.urn,
        )
