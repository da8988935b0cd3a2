"""RED037: keys contain long texts, which each lookup compares and which take more memory than values."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted

from ..access.memory import keys_of
from ..access.wire import key_bytes, template_bytes
from ..findings.servers import entities

_ROOM = 4
"""The multiple of the allowed bytes that a key without a declared average may take."""


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
                f"{counted(max_bytes, 'is a good bound', 'are a good bound', spec=',')}: each lookup hashes and "
                "compares all of them",
                help=f"write a hash of the long field into {part}=, such as 32 hexadecimal digits",
                subject=binding.name,
            )
