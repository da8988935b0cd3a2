"""MDB045: a text index adds very many words each second.

https://www.mongodb.com/docs/manual/core/indexes/index-types/index-text/ (2026-11-23) contains no number; the default is
ours.
"""

from collections.abc import Iterator

from keywright.declare.names import names
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import changed
from keywright.engines.findings.rates import calls, items_per_second
from keywright.engines.mongodb.declare.indexes import TextIndex
from keywright.engines.mongodb.schema.lower_index import lowered
from keywright.ir.text import counted, figure

_WORD = 6
"""Bytes of an English word with the space behind it."""


def models(context: RuleContext, *, max_words: float = 20_000) -> Iterator[FindingDraft]:
    """Every text index over texts with more words that are written each second.

    max_words: words per second that a text index may take.
    """
    for binding in context.bindings("mongodb"):
        facts = context.storage_facts(binding)
        for index in binding.spec.indexes if facts else ():
            if not isinstance(index, TextIndex) or facts is None:
                continue
            tops = {name.partition(".")[0] for name in names(index.fields)}
            size = sum(facts.fields[name].expected or 0 for name in tops if name in facts.fields)
            updates = sum(
                (rate or 0) * part.pattern.batch
                for part, rate in calls(context, binding, "update")
                if {path.partition(".")[0] for path in changed(part.pattern)} & tops
            )
            rate = (items_per_second(context, binding, "put") or 0) + updates
            if rate * size / _WORD > max_words:
                yield FindingDraft(
                    problem=f"it has an entry for every distinct word: {counted(rate, 'write', spec=figure)} a second "
                    f"of {counted(size, 'byte', spec=',.0f')} add {counted(rate * size / _WORD, 'word', spec=',.0f')}, "
                    f"{counted(max_words, 'is recommended', 'are recommended', spec=',.0f')}",
                    help="index only a short field, such as a title, or feed a search engine from a kw.Stream",
                    subject=binding.name,
                    part=lowered(binding, index).name,
                )
