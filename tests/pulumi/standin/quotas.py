"""What the service does not let happen to a table too often, which DynamoDB Local does.

The moments of changes are kept among the outputs of a table, since a provider lives for one command only.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html, "Decreasing provisioned
throughput", and .../switching.capacitymode.html, 2026-11-22.
"""

import time
from collections.abc import Callable, Iterator

from keywright.engines.contract.resource import Inputs

HISTORY = "standinHistory"
"""The output that keeps the moments."""

FREE_DECREASES, SWITCHES = 4, 4
"""Decreases of a day that need no pause, and switches to on-demand billing in 24 hours."""

HOUR, DAY = 3600, 86_400


class TooOften(Exception):
    """A quota was reached."""


def after(outputs: Inputs, olds: Inputs, news: Inputs, now: Callable[[], float] = time.time) -> Inputs:
    """The history of a table after a change of its inputs; TooOften where the service would not make it."""
    history = {key: list(moments) for key, moments in outputs.get(HISTORY, {}).items()}
    moment = now()
    for part in _decreased(olds, news):
        taken = history.setdefault(f"decreases of {part}", [])
        today = [at for at in taken if at // DAY == moment // DAY]
        if len(today) >= FREE_DECREASES and moment - today[-1] < HOUR:
            raise TooOften(f"the capacity of {part} was decreased {len(today)} times today: wait for an hour")
        taken.append(moment)
    if _mode(olds) == "PROVISIONED" and _mode(news) == "PAY_PER_REQUEST":
        switched = history.setdefault("switches", [])
        if len([at for at in switched if moment - at < DAY]) >= SWITCHES:
            raise TooOften(f"the billing was switched to on-demand {SWITCHES} times within 24 hours: wait")
        switched.append(moment)
    return {HISTORY: history} if history else {}


def _decreased(olds: Inputs, news: Inputs) -> Iterator[str]:
    """What has less capacity than before: the table, an index by its name."""
    if _mode(olds) != "PROVISIONED" or _mode(news) != "PROVISIONED":
        return
    if _is_less(olds, news):
        yield "the table"
    before = {entry["name"]: entry for entry in olds.get("globalSecondaryIndexes", ())}
    for entry in news.get("globalSecondaryIndexes", ()):
        if entry["name"] in before and _is_less(before[entry["name"]], entry):
            yield f'index "{entry["name"]}"'


def _is_less(old: Inputs, new: Inputs) -> bool:
    return any(new.get(word, 0) < old.get(word, 0) for word in ("readCapacity", "writeCapacity"))


def _mode(inputs: Inputs) -> str:
    return str(inputs.get("billingMode", "PROVISIONED"))
