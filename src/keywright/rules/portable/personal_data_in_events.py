"""GEN039: events or images of changes carry personal records."""

from collections.abc import Iterator

from keywright.declare.stream import Stream
from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.personal import personal_content, personal_contents, personal_fields
from keywright.engines.findings.rates import calls
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding

_ADDRESSES = ("an e-mail address", "a telephone number")
"""Contents of fields to which a message is sent."""


def models(context: RuleContext, *, event_fields: int = 2, text_length: int = 160) -> Iterator[FindingDraft]:
    """Report events and queue entries with several personal fields, and stored images of items that are erased.

    event_fields: personal fields from which an event is a personal record. text_length: bytes from which a text is that
    of a message.
    """
    for binding in context.design.bindings:
        contents, paths = personal_contents(binding), personal_fields(binding)
        names = ", ".join(f'"{path}"' for path in (contents or paths)[:3])
        is_event = _is_event(binding) or (binding.spec.kind == "event" and _stream_with_images(binding) is not None)
        if is_event and len(contents) >= event_fields and not _is_message(binding, contents, text_length):
            yield FindingDraft(
                problem=f"each event carries personal data ({names}): every consumer, log and dead letter has a copy "
                "that no erasure reaches",
                help="carry the id of the record only; consumers that need the data read it",
                subject=binding.name,
            )
        elif paths and (stream := _stream_with_images(binding)):
            is_kept = getattr(binding.spec, "stream", None) is stream  # a collection: images are stored beside it
            if is_kept and _is_erased(context, binding, paths):
                yield FindingDraft(
                    problem=f'its stream has images="{stream.images}", which contain {names}: after an erasure the '
                    "former values stay readable in them",
                    help='write images="keys", and let consumers read the item',
                    subject=binding.name,
                )


def _is_erased(context: RuleContext, binding: Binding, paths: list[str]) -> bool:
    """Whether a request deletes items, removes their personal fields, or gives them the end that they lacked."""
    deletes = (part.pattern.because for part, _ in calls(context, binding, "delete"))
    updates = [part.pattern for part, _ in calls(context, binding, "update")]
    removed = {path for pattern in updates for path in pattern.unset}
    ttl = binding.entity.ttl
    is_ended = ttl is not None and ttl.is_nullable and any(pattern.sets == (ttl.name,) for pattern in updates)
    is_removed = any(path.partition(".")[0] in removed or path in removed for path in paths)
    return is_removed or is_ended or "request" in deletes


def _is_message(binding: Binding, contents: list[str], text_length: int) -> bool:
    """Whether it is a message on its way to the one group that sends it: an address and texts."""
    is_sent = len(getattr(binding.spec, "groups", ())) == 1 or binding.spec.kind == "queue"
    attributes = {path: attribute for path, attribute in fields(binding.entity.attributes) if path in contents}
    texts = [path for path, attribute in attributes.items() if _most_bytes(attribute) >= text_length]
    addresses = [path for path, attribute in attributes.items() if personal_content(path, attribute) in _ADDRESSES]
    return is_sent and bool(texts) and len(addresses) == 1 and {*contents} == {*texts, *addresses}


def _most_bytes(attribute: Attribute) -> int:
    """Declared bytes or characters of the longest text; 0 for other types and without a bound."""
    kind = attribute.type
    if not isinstance(kind, Scalar) or kind.kind != "string":
        return 0
    return kind.facts.max_bytes or kind.max_length or 0


def _is_event(binding: Binding) -> bool:
    """Whether its items are messages to consumers."""
    return hasattr(binding.spec, "groups") or binding.spec.kind == "queue"


def _stream_with_images(binding: Binding) -> Stream | None:
    stream: Stream | None = getattr(binding.spec, "stream", None) or getattr(binding.physical.spec, "stream", None)
    return stream if stream is not None and stream.images != "keys" else None
