"""RED037: keys contain long texts, which each lookup compares and which take more memory than values."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.attribute import Scalar
from keywright.ir.text import counted

from ..access.layout import Layout
from ..access.memory import keys_of
from ..access.wire import key_bytes, template_bytes
from ..findings.servers import entities

_ROOM = 4
"""The multiple of the allowed bytes that a key without a declared average may take."""

_LONG = re.compile(r"(?:^|_)(?:url|uri|quer(?:y|ies)|filters?|sql|prompt|sentence|text|json|body)$")
"""Names of texts that are long."""


def models(context: RuleContext, *, max_bytes: int = 256) -> Iterator[FindingDraft]:
    """Entities with longer keys or members on average.

    max_bytes: bytes of a key or a member.
    """
    for _, binding, layout in entities(context):
        parts = {"key": key_bytes(layout)}
        if layout.member is not None:
            parts["member"] = template_bytes(layout.member, layout)
        for part, size in parts.items():
            typical = size.expected
            if typical is None and size.high is not None and size.high > max_bytes * _ROOM:
                typical = size.high
            if typical is None and part == "key" and (path := _text_without_bound(layout)):
                yield FindingDraft(
                    problem=f'its key "{layout.key.text}" contains "{path}", a text without a bound: each lookup '
                    "hashes and compares all of it, and keys take more memory than values",
                    help="write a hash of it into key=, such as 32 hexadecimal digits, or declare its kw.Size",
                    subject=binding.name,
                )
            if typical is None or typical <= max_bytes:
                continue
            keys = keys_of(layout) if layout.structure.kept or layout.member else binding.spec.expected
            total = (
                f", {size.expected * keys / 2**20:,.0f} MiB in all" if keys and size.expected and part == "key" else ""
            )
            template = layout.key if part == "key" or layout.member is None else layout.member
            yield FindingDraft(
                problem=f'its {part} "{template.text}" takes {"about" if size.expected else "up to"} '
                f"{counted(typical, 'byte', spec=',.0f')}{total}, "
                f"{counted(max_bytes, 'is recommended', 'are recommended', spec=',')}: each lookup hashes and "
                "compares all of them",
                help=f"write a hash of the long field into {part}=, such as 32 hexadecimal digits",
                subject=binding.name,
            )


def _text_without_bound(layout: Layout) -> str:
    """A field of the key that is a long text by its type or name, and declares no size; empty if there is none."""
    for placeholder in layout.key.placeholders:
        attribute = layout.attribute(placeholder.path)
        kind = attribute.type if attribute is not None else None
        is_text = isinstance(kind, Scalar) and kind.kind == "string" and not (kind.constants or kind.max_length)
        is_sized = isinstance(kind, Scalar) and (kind.facts.average_bytes or kind.facts.max_bytes or kind.pattern)
        if is_text and not is_sized and _LONG.search(placeholder.path.lower()) and placeholder.width is None:
            return placeholder.path
    return ""
