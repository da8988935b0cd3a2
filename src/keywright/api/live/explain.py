"""Runs access patterns on a live store like an application, and collects the server's evidence."""

import random
from collections.abc import Iterable, Mapping
from functools import partial

from pydantic import ValidationError

from keywright.compiler import AccessPlan
from keywright.compiler.plan import PlannedPattern
from keywright.engines.findings.observation import ExplainedPattern
from keywright.engines.interface import ClientEvent, Driver, Observed
from keywright.prove.dataset import Dataset, StoredInstance
from keywright.prove.masking import masked_error
from keywright.prove.proof import Proof
from keywright.prove.proof_case import ProofCase
from keywright.prove.reads import PROVERS as READS
from keywright.prove.run import prove
from keywright.runtime import codec_of
from keywright.runtime.database import Database
from keywright.runtime.errors import InvalidItem

from .digest import Digest


def explained(
    rows: Iterable[PlannedPattern],
    digests: Mapping[str, Digest],
    driver: Driver,
    watched: Observed,
    plan: AccessPlan,
    unseen: list[str],
) -> dict[str, ExplainedPattern]:
    """Results of all served reading patterns, by name, called with values of sampled items.

    unseen: patterns that could not be run are added.
    """
    results: dict[str, ExplainedPattern] = {}
    for row in rows:
        pattern, digest = row.pattern, digests.get(row.planned.binding.name)
        if pattern.kind not in READS or not row.planned.is_served or digest is None or not digest.kept_items:
            continue
        proof = _proof(row, digest, driver, watched, plan)
        failure = proof.failure
        if isinstance(failure, (ValidationError, InvalidItem)):
            failure = None  # the findings about items report values that do not fit the model
        if failure is not None or any("failed" in event for event in proof.evidence):
            reason = (
                f"the call failed: {masked_error(row.planned.binding, failure)}" if failure else "the server rejects it"
            )
            unseen.append(f'pattern "{pattern.name}": {reason}'[:200])
        elif proof.evidence:
            results[pattern.name] = ExplainedPattern(
                calls=proof.calls,
                stages=_texts(proof.evidence, "stages"),
                indexes=_texts(proof.evidence, "indexes"),
                problems=tuple(proof.contradictions),
            )
    return results


def _proof(row: PlannedPattern, digest: Digest, driver: Driver, watched: Observed, plan: AccessPlan) -> Proof:
    """A few calls without a comparison, because the contents of the store are unknown."""
    planned, engine = row.planned, row.placed.engine
    database = Database(plan, {engine.name: {row.placed.declared.name: watched.client}}, codec_of, on_invalid="skip")
    pattern = plan.compiled.project.patterns[row.pattern.context, row.pattern.name]
    dataset = Dataset(
        planned.binding,
        digest.codec,
        stored=[StoredInstance(instance, [item], 0) for instance, item in digest.kept_items],
    )
    trial = ProofCase(
        engine=engine,
        planned=planned,
        run=partial(database.run, pattern),
        observed=watched,
        driver=driver,
        dataset=dataset,
        object=engine.object_of(planned.target, planned.binding),
        rng=random.Random(row.pattern.name),
        proof=Proof(is_compared=False),
    )
    proof = prove(trial)
    proof.evidence += watched.events()  # events of a failed call would else count for the next pattern
    return proof


def _texts(events: Iterable[ClientEvent], name: str) -> tuple[str, ...]:
    lists = (event.get(name, []) for event in events)
    return tuple(dict.fromkeys(str(value) for values in lists if isinstance(values, list) for value in values))
