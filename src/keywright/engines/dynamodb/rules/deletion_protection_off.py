"""DDB030: a table in an environment with approved migrations has no deletion protection.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithTables.Basics.html (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.dynamodb.findings.uses import settings_of
from keywright.engines.findings.context import FindingDraft, RuleContext


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Tables without deletion protection."""
    for target, settings in settings_of(context):
        if not settings.protect:
            yield FindingDraft(
                problem=f'table "{target.declared.name}" has protect: false: one call deletes it with all its items',
                help="set protect: true, which is the default",
                subject=target.declared.name,
                at=target.setting("protect"),
            )
