"""DDB061: more consumers read a table's stream than DynamoDB supports for a shard."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext

from ..schema.capabilities import STREAM_READERS


def models(context: RuleContext, *, max_consumers: int = STREAM_READERS.value) -> Iterator[FindingDraft]:
    """Report every table with more consumers.

    max_consumers: programs that may read a stream.
    """
    for physical in context.design.of_engine("dynamodb").physicals:
        stream = physical.spec.stream
        if stream is not None and len(stream.consumers) > max_consumers:
            yield FindingDraft(
                problem=f'the stream of table "{physical.name}" has {len(stream.consumers)} consumers, '
                f"{max_consumers} may read a shard: more throttle each other and fall behind",
                help="let one consumer publish the changes to a topic or bus, and subscribe the others to it",
                subject=physical.name,
            )
