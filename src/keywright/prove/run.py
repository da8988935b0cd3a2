"""Proves one pattern: calls it, compares, judges; whatever a call raises is a problem of the proof, never its end."""

from collections.abc import Callable

from .proof import Proof
from .reads import PROVERS as READS
from .reads import prove_read
from .takes import prove_take
from .trial import Trial
from .writes import PROVERS as WRITES
from .writes import prove_write

MOST_LETTERS = 400
"""Letters of what an exception says that are told."""

PROVERS: dict[str, Callable[[Trial], None]] = {
    **dict.fromkeys(READS, prove_read),
    **dict.fromkeys(WRITES, prove_write),
    "take": prove_take,
}
"""How each kind of pattern is proved."""


def prove(trial: Trial) -> Proof:
    """What is found of one pattern."""
    try:
        PROVERS[trial.pattern.kind](trial)
    except Exception as error:  # noqa: BLE001  # a call may raise whatever its client does; the next pattern goes on
        words = " ".join(str(error).split())
        trial.proof.disagrees(f"the call failed: {type(error).__name__}: {words}"[:MOST_LETTERS])
    return trial.proof
