"""INF208: an ElastiCache replication group runs an engine version that is out of support."""

from collections.abc import Iterator

from keywright.engines.capability import is_older
from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource
from keywright.engines.redis.schema.capabilities import END_OF_SUPPORT

GROUP = "aws:elasticache/replicationGroup:ReplicationGroup"


def resource(program_resource: ProgramResource, *, oldest: str = "6.2") -> Iterator[FindingDraft]:
    """Report every group with an older version.

    oldest: the oldest allowed version; 4 and 5 are out of standard support:
    https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/engine-versions.html (2026-11-22).
    """
    if program_resource.type != GROUP:
        return
    version = program_resource.value("engineVersion")
    if version is not None and is_older(str(version).removesuffix(".x"), oldest.partition(".")[0]):
        end = END_OF_SUPPORT.get(str(version).partition(".")[0])
        ended = f", whose standard support ended on {end}" if end else ""
        yield FindingDraft(
            problem=f"engineVersion is {version}{ended}; {oldest} and later versions are supported",
            help='set engine="valkey", engine_version="8.0", an upgrade in place',
            subject=program_resource.urn,
        )
