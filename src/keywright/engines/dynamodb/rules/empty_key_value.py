"""DDB103: a key can be an empty string, which DynamoDB rejects."""

import re
from collections.abc import Iterator

from keywright.engines.dynamodb.findings.uses import entities, scalar
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import AddFact, Fix
from keywright.ir.attribute import Scalar


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Fields that are a key by themselves, and whose declaration allows the empty text."""
    for entity in entities(context):
        reported: set[str] = set()
        for route in entity.routes:
            for part in route.key:
                lone = part.template.lone
                kind = scalar(entity, lone.path) if lone else None
                if lone is None or kind is None or lone.path in reported or not _may_be_empty(kind):
                    continue
                reported.add(lone.path)
                where = f'index "{route.index}"' if route.index else f'table "{entity.table.name}"'
                yield FindingDraft(
                    problem=f'"{lone.path}" may be empty, and is a key of {where}: such an item is refused',
                    help="say Field(min_length=1), and a pattern or choices without the empty text; or write a word "
                    'before it, as in "USER#{user_id}"',
                    subject=entity.binding.name,
                    field=lone.path.partition(".")[0],
                    fix=Fix((AddFact("Field(min_length=1)"),))
                    if kind.min_length == 0 and "." not in lone.path
                    else None,
                )


def _may_be_empty(kind: Scalar) -> bool:
    """Whether the declaration explicitly allows the empty text."""
    if kind.kind not in ("string", "bytes") or (kind.min_length or 0) > 0:
        return False
    if kind.constants:
        return "" in kind.constants
    return kind.min_length == 0 or (kind.pattern is not None and re.fullmatch(kind.pattern, "") is not None)
