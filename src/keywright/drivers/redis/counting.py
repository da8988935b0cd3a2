"""Counts of keys that block a change, among the first that SCAN returns."""

from typing import Any

from keywright.engines.contract.counting import BlockingCount, Counted

PAGES = 100
"""The most requests for a count."""
PAGE = 1_000
"""Keys that the server examines in one request."""


def counted(client: Any, question: BlockingCount) -> Counted | None:
    """See `Driver.counted`."""
    about: Any = question.about
    cursor, examined, count = 0, 0, 0
    for _ in range(PAGES):
        cursor, keys = client.scan(cursor, match=about["match"], count=PAGE)
        pipeline = client.pipeline(transaction=False)
        for key in keys:
            pipeline.type(key)
        examined += len(keys)
        count += sum(_text(answer) not in (about["type"], "none") for answer in pipeline.execute())
        if int(cursor) == 0:
            return Counted(count)
    return Counted(count, examined)


def _text(answer: Any) -> str:
    return answer.decode() if isinstance(answer, bytes) else str(answer)
