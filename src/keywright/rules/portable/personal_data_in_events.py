"""GEN039: events or images of changes carry personal records."""

from collections.abc import Iterator

from keywright.declare.stream import Stream
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.personal import personal_fields
from keywright.engines.findings.rates import calls
from keywright.ir.binding import Binding


def models(context: RuleContext, *, event_fields: int = 2, image_fields: int = 3) -> Iterator[FindingDraft]:
    """Report events and queue entries with several personal fields, and streams with images of such items.

    event_fields: personal fields from which an event is a personal record. image_fields: personal fields from which an
    item is one, in a table whose stream contains images.
    """
    for binding in context.design.bindings:
        paths = personal_fields(binding)
        names = ", ".join(f'"{path}"' for path in paths[:3])
        if _is_event(binding) and len(paths) >= event_fields:
            yield FindingDraft(
                problem=f"each event carries personal data ({names}): every consumer, log and dead letter has a copy "
                "that no erasure reaches",
                help="carry the id of the record only; consumers that need the data read it",
                subject=binding.name,
            )
        elif paths and (stream := _stream_with_images(binding)):
            is_kept = getattr(binding.spec, "stream", None) is stream  # a collection: images are stored beside it
            least = event_fields if binding.spec.kind == "event" else image_fields
            is_erased = any(True for _ in calls(context, binding, "delete"))
            if (is_kept and is_erased) or len(paths) >= least:
                yield FindingDraft(
                    problem=f'its stream has images="{stream.images}", which contain {names}: '
                    f"{'after an erasure' if is_erased else 'after a correction'} the former values stay readable in "
                    "them",
                    help='write images="keys", and let consumers read the item',
                    subject=binding.name,
                )


def _is_event(binding: Binding) -> bool:
    """Whether its items are messages to consumers."""
    return hasattr(binding.spec, "groups") or binding.spec.kind == "queue"


def _stream_with_images(binding: Binding) -> Stream | None:
    stream: Stream | None = getattr(binding.spec, "stream", None) or getattr(binding.physical.spec, "stream", None)
    return stream if stream is not None and stream.images != "keys" else None
