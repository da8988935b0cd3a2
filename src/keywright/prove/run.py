"""The proof of one pattern; an exception of a call becomes a problem of the proof."""

from collections.abc import Callable

from .combined import prove_read_together, prove_transact_get
from .masking import masked_error
from .proof import Proof
from .proof_case import ProofCase
from .reads import PROVERS as READS
from .reads import prove_read
from .takes import prove_take
from .writes import PROVERS as WRITES
from .writes import prove_write

MOST_LETTERS = 400
"""Maximum length of a problem made from an exception."""

PROVERS: dict[str, Callable[[ProofCase], None]] = {
    **dict.fromkeys(READS, prove_read),
    **dict.fromkeys(WRITES, prove_write),
    "take": prove_take,
    "read_together": prove_read_together,
    "transact_get": prove_transact_get,
}
"""Prover of each kind of pattern."""


def prove(trial: ProofCase) -> Proof:
    """Prove a pattern, and return the result."""
    try:
        PROVERS[trial.pattern.kind](trial)
    except Exception as error:  # noqa: BLE001  # a client may raise anything, and the next pattern is still proved
        trial.proof.failure = error
        trial.proof.disagrees(f"the call failed: {masked_error(trial.planned.binding, error)}"[:MOST_LETTERS])
    return trial.proof
