"""DDB029: a table in an environment with approved migrations has no point-in-time recovery.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Point-in-time-recovery.html (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.dynamodb.findings.uses import settings_of
from keywright.engines.findings.context import FindingDraft, RuleContext


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Tables without point-in-time recovery."""
    for target, settings in settings_of(context):
        if not settings.point_in_time_recovery:
            yield FindingDraft(
                problem=f'table "{target.declared.name}" has point-in-time-recovery: false: what a faulty program '
                "overwrites within seconds cannot be restored",
                help="set point-in-time-recovery: true, which is the default",
                subject=target.declared.name,
                at=target.setting("point-in-time-recovery"),
            )
        for replica in settings.replicas or ():
            if replica.point_in_time_recovery is False and settings.point_in_time_recovery:
                yield FindingDraft(
                    problem=f'the replica of table "{target.declared.name}" in {replica.region} has '
                    "point-in-time-recovery: false: after a disaster, nothing lost there can be restored",
                    help="set point-in-time-recovery: true there, or remove the line",
                    subject=target.declared.name,
                    at=target.setting("replicas"),
                )
