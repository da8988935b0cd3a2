"""Generates the datasets of proofs: instances of every binding of the targets, with hot keys."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from keywright.compiler import AccessPlan, Placed
from keywright.declare.fields import class_of
from keywright.declare.names import names
from keywright.engines.registry import engine_named
from keywright.errors import UsageError
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.prove.dataset import Dataset, dataset_of, drawing
from keywright.prove.hot_keys import in_shared_partitions, with_hot_keys
from keywright.prove.shown import shown_by
from keywright.runtime import codec_of
from keywright.runtime.items.codec import Codec
from keywright.sample import generate

MIN_SHARDED = 16
"""Minimum number of an entity's instances for shared shards: with fewer, no key would be left for writes."""


def datasets_of(
    plan: AccessPlan, targets: Sequence[Placed], *, scale: int, seed: int
) -> dict[str, tuple[Dataset, Placed]]:
    """(dataset, target) by binding name; all times are in the last ninety days."""
    project, now = plan.compiled.project, datetime.now(UTC)
    placed = {(target.engine.name, target.declared.name): target for target in targets}
    own = [binding for binding in project.design.bindings if (binding.engine, binding.physical.name) in placed]
    bindings = [binding for binding in own if not binding.spec.source]
    entities = {binding.entity.name for binding in bindings}
    samples: dict[str, list[dict[str, Any]]] = {}
    for sample in generate(project.design, seed=seed, scale=scale, anchor=now, now=now):
        if sample.entity in entities:
            samples.setdefault(sample.entity, []).append(sample.value)
    datasets: dict[str, tuple[Dataset, Placed]] = {}
    shared: dict[tuple[str, str], Any] = {}
    for binding in bindings:
        target = placed[binding.engine, binding.physical.name]
        model: Any = project.models[binding.name]
        cls = class_of(model)
        instances = [cls.model_validate(value) for value in samples.get(binding.entity.name, ())]
        patterns = [
            part
            for pattern in project.design.patterns
            for part in pattern.parts or (pattern,)
            if part.binding == binding.name
        ]
        instances = in_shared_partitions(instances, project.design.patterns, binding.name, shared)
        # If the key contains a random shard, its fields do not identify an item.
        is_sharded = len(instances) >= MIN_SHARDED and _has_random_shard(binding)
        keys = () if is_sharded else target.engine.key_fields(target.placed, binding)
        codec = codec_of(model)
        statics = names(getattr(binding.spec, "static", None))
        with_keys = with_hot_keys(instances, patterns, keys, _identity(binding, codec), statics)
        datasets[binding.name] = dataset_of(binding, codec, with_keys, _puts(project.design.patterns, binding)), target
    for binding in own:
        if (source := _source_of(binding, datasets)) is not None:
            view = shown_by(binding, codec_of(project.models[binding.name]), source)  # type: ignore[arg-type]
            datasets[binding.name] = view, placed[binding.engine, binding.physical.name]
    return datasets


def _source_of(binding: Binding, datasets: dict[str, tuple[Dataset, Placed]]) -> Dataset | None:
    """The dataset whose items a store shows; None for a store with items of its own."""
    others = (dataset for dataset, _ in datasets.values() if dataset.binding.physical is binding.physical)
    name = binding.spec.source
    return next((dataset for dataset in others if name and getattr(dataset.binding.spec, "name", "") == name), None)


def _puts(patterns: Iterable[Pattern], binding: Binding) -> int:
    """Number of writes that put whole items of a binding, including those in transactions."""
    writes = (part for pattern in patterns for part in (pattern.parts or (pattern,)))
    return sum(write.kind == "put" and write.binding == binding.name for write in writes)


def _has_random_shard(binding: Binding) -> bool:
    """Whether its keys contain a random shard; with `shares_keys`, a key contains many instances in any case."""
    templates = (*binding.templates.values(), *binding.computed.values())
    return not engine_named(binding.engine).traits.shares_keys and any(
        not placeholder.path for template in templates for placeholder in template.placeholders
    )


def _identity(binding: Binding, codec: Codec[Any]) -> Callable[[Any, int], object]:
    """A function of an instance's key, which two instances must not share; random shards are those of the seed."""

    def native(instance: Any, seed: int) -> object:
        # A key of such an engine contains many instances: elements, members, entries.
        if engine_named(binding.engine).traits.shares_keys:
            return id(instance)
        try:
            with drawing(seed):
                return codec.key_of(instance)
        except UsageError:  # such as a measurement of a time series, which has no key
            return id(instance)

    return native
