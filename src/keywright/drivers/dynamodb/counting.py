"""Counts of items that block a change, in a bounded part of a table, because each page costs read units."""

import time
from typing import Any

from keywright.engines.contract.counting import BlockingCount, Counted

from .misfits import misfits

PAGES = 4
"""Most requests of a question."""
PAGE = 1_000
"""Most items that one request examines."""


def counted(client: Any, question: BlockingCount) -> Counted | None:
    """See `Driver.counted`: in the first items of a scan."""
    if question.kind not in ("misfits", "expired"):
        return None
    count_page = _misfits if question.kind == "misfits" else _expired
    count, read, cursor = 0, 0, None
    for _ in range(PAGES):
        matches, examined, cursor = count_page(client, question, cursor)
        count, read = count + matches, read + examined
        if cursor is None:
            return Counted(count)
    return Counted(count, read)


def _misfits(client: Any, question: BlockingCount, cursor: Any) -> tuple[int, int, Any]:
    page = misfits(client, question.object, question.about, cursor, PAGE)
    return len(page.misfits), page.read, page.cursor


def _expired(client: Any, question: BlockingCount, cursor: Any) -> tuple[int, int, Any]:
    """Expired items; the service does not delete items that expired more than five years ago.

    Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-before-you-start.html,
    2026-11-22.
    """
    now = int(time.time())
    answer = client.scan(
        TableName=question.object,
        Limit=PAGE,
        Select="COUNT",
        FilterExpression="#t BETWEEN :old AND :now",
        ExpressionAttributeNames={"#t": question.about},
        ExpressionAttributeValues={":old": {"N": str(now - 5 * 365 * 86_400)}, ":now": {"N": str(now)}},
        **({} if cursor is None else {"ExclusiveStartKey": cursor}),
    )
    return answer["Count"], answer["ScannedCount"], answer.get("LastEvaluatedKey")
