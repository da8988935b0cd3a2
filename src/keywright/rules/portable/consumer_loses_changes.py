"""GEN026: a consumer of a stream drops changes that it cannot process, or retries them without an end."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.streams import streams

_LOSSES = {
    "drop": "drops a change that it cannot process: copies and notifications miss the change for ever",
    "retry": "retries a change that always fails without an end: those behind it wait until the log has dropped them",
}


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every consumer without a queue for failed changes."""
    for store in streams(context.design):
        for consumer in store.stream.consumers:
            loss = _LOSSES.get(consumer.on_failure)
            if loss is not None and not _is_of_keys(store.stream.images, consumer.on_failure):
                yield FindingDraft(
                    problem=f'consumer "{consumer.name}" {loss}',
                    help='set on_failure="queue", and process the queue after the cause is removed',
                    subject=store.subject,
                    engine=store.engine,
                )


def _is_of_keys(images: str, on_failure: str) -> bool:
    """Whether a consumer gets nothing but keys, so that no content of a change can make it fail always."""
    return images == "keys" and on_failure == "retry"
