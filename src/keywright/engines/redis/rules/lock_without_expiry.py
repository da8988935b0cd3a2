"""RED043: a lock has no expiry, so that the crash of its holder locks it forever."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext

from ..findings.locks import locks
from ..findings.servers import expires


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Locks without an expiry."""
    for _, binding, layout in locks(context):
        if not expires(layout.structure) and not binding.spec.keep_forever:
            yield FindingDraft(
                problem=f'"{layout.key.text}" is put if absent and never expires: if its holder stops before it '
                "deletes the key, nobody obtains it again",
                help="set ttl= to somewhat more than the longest work, such as ttl=timedelta(seconds=30); the holder "
                "deletes it only while the value is its own",
                subject=binding.name,
            )
