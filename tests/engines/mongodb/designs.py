"""Designs of models that a test declares, without a project around them."""

from types import ModuleType
from typing import Any, ClassVar

from pydantic import BaseModel

import keywright as kw
from keywright.engines.interface import Rejection
from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.target import CollectionTarget, DatabaseTarget
from keywright.frontend.lower import lower
from keywright.ir.binding import Binding
from keywright.ir.design import Design

shop = kw.MongoDatabase("shop")
SIX = MongoEnvironment(flavour="mongodb", version="6.0")


def design_of(*models: Any) -> Design:
    """What a model file with these classes and declarations would declare."""
    homes = {value.__module__ for value in models if isinstance(value, type)}
    module = ModuleType(homes.pop() if homes else "declared")
    module.__file__ = next((value.at.file for value in models if not isinstance(value, type)), "")
    named = {getattr(value, "__name__", f"declared_{at}"): value for at, value in enumerate(models)}
    vars(module).update(named)
    return lower([module])


def binding_of(model: type[BaseModel]) -> Binding:
    """The binding of a class."""
    (binding,) = design_of(model).bindings
    return binding


def database_of(*models: Any) -> DatabaseTarget:
    """The one database of some declarations."""
    (database,) = ENGINE.lower(design_of(*models))
    return database


def collection_of(model: type[BaseModel]) -> CollectionTarget:
    """The collection of a class."""
    (collection,) = database_of(model).collections
    return collection


def schema_of(model: type[BaseModel]) -> Any:
    """The `$jsonSchema` of a class's collection."""
    condition: Any = collection_of(model).validator
    return condition["$jsonSchema"]


def stored_in(store: Any, fields: dict[str, Any], name: str = "Thing", **values: Any) -> type[BaseModel]:
    """A model with these annotations, in a store; the further values are defaults."""
    annotations = {**fields, "__store__": ClassVar}
    body = {"__module__": __name__, "__annotations__": annotations, "__store__": store, **values}
    return type(name, (BaseModel,), body)


def refusals_of(*models: Any) -> list[Rejection]:
    """What is not legal in such a design."""
    return list(ENGINE.check(design_of(*models)))


def codes_of(*models: Any) -> list[str]:
    """The codes of that."""
    return [refusal.code for refusal in refusals_of(*models)]
