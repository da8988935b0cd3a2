"""DDB064: a stream carries images of large items."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import items_per_second
from keywright.engines.findings.streams import streams

_IMAGES = {"new_and_old": 2, "new": 1, "old": 1}


def models(
    context: RuleContext, *, max_kb: float = 100, busy_kb: float = 16, kb_per_second: float = 5_000
) -> Iterator[FindingDraft]:
    """Report every stream whose images of a change are usually larger.

    max_kb: most kilobytes of a usual change. busy_kb: the same for an entity whose changes take kb_per_second.
    """
    for store in streams(context.design):
        images = _IMAGES.get(store.stream.images, 0)
        for binding in store.bindings if images and store.engine == "dynamodb" else ():
            facts = context.storage_facts(binding)
            kilobytes = (facts.usual or 0) * images / 1024 if facts else 0
            rate = items_per_second(context, binding, "put", "update", "increment", "delete") or 0
            is_busy = kilobytes > busy_kb and kilobytes * rate > kb_per_second
            if kilobytes > max_kb or is_busy:
                each_second = f", {kilobytes * rate / 1024:,.0f} MB a second," if is_busy else ""
                yield FindingDraft(
                    problem=f'the stream of "{store.subject}" has images="{store.stream.images}": each change of '
                    f"{binding.name} carries {kilobytes:,.0f} KB{each_second} to every consumer",
                    help='set images="keys", and let a consumer read the fields that it needs from the table',
                    subject=store.subject,
                )
                break
