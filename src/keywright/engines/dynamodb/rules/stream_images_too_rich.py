"""DDB064: a stream carries images with large, sensitive or much personal contents."""

import re
from collections.abc import Iterator
from typing import Any

from keywright.engines.findings.context import FindingDraft, RuleContext, fields, scalar_of
from keywright.engines.findings.copies import copies
from keywright.engines.findings.streams import streams
from keywright.ir.binding import Binding

_SENSITIVE = re.compile(
    r"(?:^|_)(?:passport|document_number|ssn|social_security|tax_(?:id|number)|health|diagnos\w*|medical|card_number|iban"
    r"|password|secret|salary|religion)(?:$|_)"
)
"""Words in names of personal data that a consumer hardly ever needs."""
_IMAGES = {"new_and_old": 2, "new": 1, "old": 1}


def models(context: RuleContext, *, max_kb: float = 100, max_personal: int = 2) -> Iterator[FindingDraft]:
    """Report every stream with images of large items, or of personal data that is sensitive by its name.

    max_kb: most kilobytes of a usual change. max_personal: most fields with personal data that no copy needs.
    """
    for store in streams(context.design):
        images = _IMAGES.get(store.stream.images, 0)
        for binding in store.bindings if images and store.engine == "dynamodb" else ():
            facts = context.storage_facts(binding)
            kilobytes = (facts.usual or 0) * images / 1024 if facts else 0
            personal = _personal(context, binding)
            field = next((path for path in personal if _SENSITIVE.search(path.rpartition(".")[2])), "")
            if kilobytes > max_kb:
                problem = f"each change of {binding.name} carries {images} images, usually {kilobytes:,.0f} KB together"
            elif field:
                problem = f'each change of {binding.name} carries "{field}" out of the table, to all its consumers'
            elif len(personal) > max_personal:
                problem = f"each change of {binding.name} carries {len(personal)} personal fields to all its consumers"
            else:
                continue
            yield FindingDraft(
                problem=f'the stream of "{store.subject}" has images="{store.stream.images}": {problem}',
                help='set images="keys", and let a consumer read the fields that it needs from the table',
                subject=store.subject,
            )
            break


def _personal(context: RuleContext, binding: Binding[Any]) -> list[str]:
    """Fields with personal data that no copy takes from the stream."""
    synchronised = {
        copy.attribute
        for copy in copies(context.design)
        if copy.declared is not None and copy.declared.sync == "stream" and copy.source == binding.entity.name
    }
    kinds = ((path, attribute, scalar_of(attribute.type)) for path, attribute in fields(binding.entity.attributes))
    return [
        path
        for path, attribute, kind in kinds
        if kind is not None and kind.facts.is_personal and attribute.name not in synchronised
    ]
