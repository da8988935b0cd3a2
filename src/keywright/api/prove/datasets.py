"""What proofs load: generated instances of every binding in some targets, crowded under busy keys."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from keywright.compiler import AccessPlan, Placed
from keywright.declare.fields import class_of
from keywright.declare.names import names
from keywright.errors import UsageError
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.prove.crowd import crowded
from keywright.prove.world import World, drawing, world
from keywright.runtime import codec_of
from keywright.runtime.codec import Codec
from keywright.sample import generate

MANY = 16
"""Instances of an entity from which on several are shards of one whole: of fewer, none is left for writes to know."""


def worlds(plan: AccessPlan, targets: Sequence[Placed], *, scale: int, seed: int) -> dict[str, tuple[World, Placed]]:
    """(what is to be loaded, where) by binding name; everything happened in the last ninety days."""
    project, now = plan.compiled.project, datetime.now(UTC)
    placed = {(one.engine.name, one.declared.name): one for one in targets}
    bindings = [one for one in project.design.bindings if (one.engine, one.physical.name) in placed]
    entities = {binding.entity.name for binding in bindings}
    samples: dict[str, list[dict[str, Any]]] = {}
    for sample in generate(project.design, seed=seed, scale=scale, anchor=now, now=now):
        if sample.entity in entities:
            samples.setdefault(sample.entity, []).append(sample.value)
    found: dict[str, tuple[World, Placed]] = {}
    for binding in bindings:
        target = placed[binding.engine, binding.physical.name]
        model: Any = project.models[binding.name]
        cls = class_of(model)
        instances = [cls.model_validate(value) for value in samples.get(binding.entity.name, ())]
        patterns = [one for one in project.design.patterns if one.binding == binding.name]
        # Where the key draws a shard, its fields do not tell items apart.
        is_parted = len(instances) >= MANY and _draws(binding)
        keys = () if is_parted else target.engine.key_fields(target.placed, binding)
        codec = codec_of(model)
        statics = names(getattr(binding.spec, "static", None))
        crowd = crowded(instances, patterns, keys, _identity(binding, codec), statics)
        found[binding.name] = world(binding, codec, crowd, _puts(project.design.patterns, binding)), target
    return found


def _puts(patterns: Iterable[Pattern], binding: Binding) -> int:
    """How many writes, those in transactions too, put whole items of a binding."""
    writes = (part for one in patterns for part in (one.parts or (one,)))
    return sum(one.kind == "put" and one.binding == binding.name for one in writes)


def _draws(binding: Binding) -> bool:
    """Whether a shard of its keys is drawn; in Redis, structures of one key hold many instances anyway."""
    templates = (*binding.templates.values(), *binding.computed.values())
    return binding.engine != "redis" and any(not one.path for each in templates for one in each.placeholders)


def _identity(binding: Binding, codec: Codec[Any]) -> Callable[[Any, int], object]:
    """What two instances must not share, or one would take the other's place; of drawn shards, those of the seed."""

    def native(instance: Any, seed: int) -> object:
        # Many instances stand under one key of Redis: elements, members, entries.
        if binding.engine == "redis":
            return id(instance)
        try:
            with drawing(seed):
                return codec.key_of(instance)
        except UsageError:  # such as a measurement of a time series, which has no key
            return id(instance)

    return native
