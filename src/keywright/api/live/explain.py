"""Patterns asked on a live store as an application asks them: what the server then says that it did."""

import random
from collections.abc import Iterable, Mapping
from functools import partial

from keywright.compiler import AccessPlan
from keywright.compiler.plan import Row
from keywright.engines.flaws.observation import Asked
from keywright.engines.interface import Driver, Event, Observed
from keywright.prove.proof import Proof
from keywright.prove.reads import PROVERS as READS
from keywright.prove.run import prove
from keywright.prove.trial import Trial
from keywright.prove.world import Kept, World
from keywright.runtime import codec_of
from keywright.runtime.database import Database

from .digest import Digest

_FAILED = "the call failed"
"""How a problem begins that is no difference."""


def asked(
    rows: Iterable[Row],
    digests: Mapping[str, Digest],
    driver: Driver,
    watched: Observed,
    plan: AccessPlan,
    unseen: list[str],
) -> dict[str, Asked]:
    """What came of each served pattern that reads, by name, with values of items that were sampled.

    unseen: what could not be asked is added.
    """
    found: dict[str, Asked] = {}
    for row in rows:
        pattern, digest = row.pattern, digests.get(row.planned.binding.name)
        if pattern.kind not in READS or not row.planned.is_served or digest is None or not digest.kept:
            continue
        proof = _proof(row, digest, driver, watched, plan)
        failed = next((one for one in proof.problems if one.startswith(_FAILED)), None)
        if failed and "ValidationError" in failed:
            failed = None  # what the model does not take is told of the items
        if failed or any("failed" in event for event in proof.evidence):
            unseen.append(f'pattern "{pattern.name}": {failed or "the server refuses it"}'[:200])
        elif proof.evidence:
            found[pattern.name] = Asked(
                calls=proof.calls,
                stages=_texts(proof.evidence, "stages"),
                indexes=_texts(proof.evidence, "indexes"),
                problems=tuple(one.removeprefix("evidence: ") for one in proof.problems if not one.startswith(_FAILED)),
            )
    return found


def _proof(row: Row, digest: Digest, driver: Driver, watched: Observed, plan: AccessPlan) -> Proof:
    """A few calls, of which nothing is compared: nobody knows what the store holds."""
    planned, engine = row.planned, row.placed.engine
    database = Database(plan, {engine.name: {row.placed.declared.name: watched.client}}, codec_of)
    pattern = plan.compiled.project.patterns[row.pattern.context, row.pattern.name]
    world = World(planned.binding, digest.codec, kept=[Kept(instance, [item], 0) for instance, item in digest.kept])
    trial = Trial(
        engine=engine,
        planned=planned,
        run=partial(database.run, pattern),
        observed=watched,
        driver=driver,
        world=world,
        object=engine.object_of(planned.target, planned.binding),
        rng=random.Random(row.pattern.name),
        proof=Proof(is_compared=False),
    )
    proof = prove(trial)
    proof.evidence += watched.events()  # of a call that failed here, or they would pass for the next pattern's
    return proof


def _texts(events: Iterable[Event], name: str) -> tuple[str, ...]:
    listed = (event.get(name, []) for event in events)
    return tuple(dict.fromkeys(str(one) for found in listed if isinstance(found, list) for one in found))
