"""Lowers views to the pipeline of the server, and gives live pipelines the same form."""

from collections.abc import Iterable
from typing import Any

from keywright.ir.binding import Binding
from keywright.ir.json import Json
from keywright.ir.pattern import ConstantCondition

from ..declare.filters import tests_of
from ..declare.options import AnyCollection, Collection, CollectionView
from .fields import ID, stored, stored_name
from .filter_form import normal
from .filters import test_of
from .target import CollectionTarget, ViewOptions


def source_of(binding: Binding[AnyCollection], bindings: Iterable[Binding[AnyCollection]]) -> Binding[Any] | None:
    """The entity of the collection that a view reads; None if no model declares it."""
    return next(
        (
            other
            for other in bindings
            if isinstance(other.spec, Collection)
            and other.spec.name == binding.spec.source
            and other.physical is binding.physical
        ),
        None,
    )


def view(binding: Binding[AnyCollection], spec: CollectionView, source: CollectionTarget, of: Binding[Any]) -> Any:
    """The target of a view: it inherits the collation of its collection, without which no index would serve texts.

    source, of: the target and the entity of its collection.
    """
    stages: list[Json] = []
    if spec.where:
        tests = (test for test in tests_of(spec.where) if isinstance(test, ConstantCondition))
        stages.append({"$match": normal({"$and": [_test(of, test) for test in tests]})})
    if spec.project:
        names = sorted({stored_name(binding, attribute) for attribute in binding.entity.attributes} - {ID})
        stages.append({"$project": dict.fromkeys(names or [ID], 1)})
    return CollectionTarget(
        spec.name, collation=source.collation, view=ViewOptions(source.physical_name, tuple(stages))
    )


def _test(source: Binding[Any], condition: ConstantCondition) -> Json:
    """A condition as patterns have it: null does not exist."""
    test = test_of(source, condition)
    if condition.test == "present":
        test = {"$ne": None}
    elif condition.test == "not":
        test = {"$ne": test}
    return {stored(source, condition.field): test}


def normal_pipeline(pipeline: list[Any]) -> list[Json]:
    """A live pipeline in the form of a declared one; other stages are unchanged."""
    return [_stage(stage) for stage in pipeline]


def _stage(stage: Any) -> Json:
    match stage:
        case {"$match": dict() as filter} if len(stage) == 1:
            return {"$match": normal(filter)}
        case {"$project": dict() as fields} if len(stage) == 1 and all(_is_included(flag) for flag in fields.values()):
            names = sorted(fields.keys() - {ID}) or [ID]
            return {"$project": dict.fromkeys(names, 1)}
        case _:
            return stage  # type: ignore[no-any-return]  # as the server reports it


def _is_included(flag: Any) -> bool:
    return flag is True or (isinstance(flag, (int, float)) and bool(flag))
