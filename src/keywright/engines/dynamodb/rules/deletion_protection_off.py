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
        for replica in settings.replicas or ():
            if replica.protect is False and settings.protect:
                yield FindingDraft(
                    problem=f'the replica of table "{target.declared.name}" in {replica.region} has '
                    "protect: false: one call deletes the copy that takes over in a disaster",
                    help="set protect: true there, or remove the line",
                    subject=target.declared.name,
                    at=target.setting("replicas"),
                )
