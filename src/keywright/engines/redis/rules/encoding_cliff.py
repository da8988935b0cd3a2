"""RED107: a bound is just above the limit of the compact encoding, so that each structure uses far more memory."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted

from ..access.memory import elements_of, keys_of
from ..access.size import ELEMENT_BYTES, SORTED_SET_ENTRIES
from ..access.wire import template_bytes
from ..findings.servers import ServerContents, entities


def models(context: RuleContext, *, percent: int = 100, min_keys: int = 10_000) -> Iterator[FindingDraft]:
    """Sorted sets whose bound is slightly above the compact limit, if there are many of them.

    percent: the largest excess that counts as slight. min_keys: the least number of keys for a finding.
    """
    for server, binding, layout in entities(context):
        entries = _setting(server, "entries", SORTED_SET_ENTRIES)
        bound, keys = layout.structure.kept, keys_of(layout)
        if layout.kind != "sorted set" or bound is None or keys is None or keys < min_keys or layout.member is None:
            continue
        if (elements_of(layout, binding) or bound) <= entries:
            continue
        length = template_bytes(layout.member, layout)
        is_short = length.high is not None and length.high <= _setting(server, "value", ELEMENT_BYTES)
        if is_short and entries < bound <= entries * (1 + percent / 100):
            yield FindingDraft(
                problem=f"{counted(bound, 'member is', 'members are')} kept, and a set of more than {entries} "
                "is no compact block any more: it takes several times the memory",
                help=f'say max_length={entries}, or settings={{"zset-max-listpack-entries": {bound}}} on the server',
                subject=binding.name,
            )


def _setting(server: ServerContents, limit: str, default: int) -> int:
    setting = server.settings.get(f"zset-max-listpack-{limit}") or server.settings.get(f"zset-max-ziplist-{limit}")
    return int(setting) if setting else default
