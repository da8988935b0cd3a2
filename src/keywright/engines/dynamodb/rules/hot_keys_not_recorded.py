"""DDB037: patterns declare a hot key, and Contributor Insights, which names throttled keys, is off."""

from collections.abc import Iterator

from keywright.engines.dynamodb.findings.throughput import busy_tables
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted

_READS = ("get", "read", "count")


def models(context: RuleContext, *, rate: float = 200.0, read_rate: float = 600.0) -> Iterator[FindingDraft]:
    """Tables with a declared hot key.

    rate, read_rate: writes and reads a second on one key from which a table is reported, a fifth of what a partition
    serves.
    """
    for target, settings, table_uses in busy_tables(context):
        if settings.contributor_insights:
            continue
        hot = [(use.load.hot_key_per_second, use.name, use.pattern.kind in _READS) for use in table_uses
               if use.load.hot_key_per_second is not None]  # fmt: skip
        hottest = max((row for row in hot if row[0] >= (read_rate if row[2] else rate)), default=None)
        if hottest is not None:
            calls, name, _ = hottest
            yield FindingDraft(
                problem=f'"{name}" uses one key '
                f'{counted(calls, "time", spec=",.0f")} a second, and table "{target.declared.name}" has '
                "contributor-insights: false: nothing names the key that is throttled",
                help="set contributor-insights: true",
                subject=target.declared.name,
                at=target.setting("contributor-insights"),
            )
