"""The compiled model at run time: keys and items of instances, made by generated code, and back.

```python
from keywright import runtime

client.put_item(TableName="dev-shop", Item=runtime.to_item(order))
order = runtime.from_item(Order, client.get_item(TableName="dev-shop", Key=runtime.key_of(order))["Item"])
```

And the patterns as calls, each by the very path that `keywright patterns` shows and `keywright prove` proves:

```python
db = runtime.open(models, environment="prod", dynamodb=client)
for order in orders_of_user(db, user_id="u-1"):
    ...
```
"""

from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

from pydantic import BaseModel

from keywright.declare.fields import class_of, store_of
from keywright.declare.store import Bound
from keywright.errors import UsageError
from keywright.frontend.lower import binding_of

from .codec import Codec
from .database import Database, opened
from .given import ConditionFailed as ConditionFailed

M = TypeVar("M", bound=BaseModel)

_codecs: dict[int, tuple[object, Codec[Any]]] = {}


def open(
    models: ModuleType | str | None = None,
    *,
    environment: str | None = None,
    dynamodb: Any = None,
    mongodb: Any = None,
    cassandra: Any = None,
    redis: Any = None,
) -> Database:
    """An open database, with which patterns are called: `orders_of_user(db, user_id="u-1")`.

    models: a module of the project's models, or the project's folder; by default the project around the working folder.
    environment: its name, by default the project's default one. The clients are the application's own: a low-level
    boto3 client, a MongoClient, a Cassandra session, a redis.Redis or a mapping from server names to several.
    Every pattern is planned here, once. Raises DeclarationErrors for models that do not compile.
    """
    clients = {"dynamodb": dynamodb, "mongodb": mongodb, "cassandra": cassandra, "redis": redis}
    return opened(models, environment, {name: one for name, one in clients.items() if one is not None}, codec_of)


def codec_of(model: type[M] | Bound[M]) -> Codec[M]:
    """The codec of a model in the store on its class, or in that of a binding; made once.

    Raises UsageError for a model without a store, DeclarationError for one that is not legal.
    """
    known = _codecs.get(id(model))
    if known is None:
        # The model is kept beside its codec, so that no other object can ever have its id.
        known = _codecs[id(model)] = (model, _make(model))
    return known[1]


def key_of(instance: BaseModel, binding: Bound[Any] | None = None) -> Any:
    """The native key of an instance, in the store on its class or in that of a binding of the class."""
    return _codec_for(instance, binding).key_of(instance)


def to_item(instance: BaseModel, binding: Bound[Any] | None = None) -> Any:
    """The native item of an instance; of an entity with read copies, the first copy."""
    return _codec_for(instance, binding).to_items(instance)[0]


def to_items(instance: BaseModel, binding: Bound[Any] | None = None) -> list[Any]:
    """All native items that an instance is stored as: one for each read copy."""
    return _codec_for(instance, binding).to_items(instance)


def from_item(model: type[M] | Bound[M], item: Any) -> M:
    """The instance of a native item; pydantic.ValidationError if the model does not take it."""
    return codec_of(model).from_item(item)


def _codec_for(instance: M, binding: Bound[Any] | None) -> Codec[M]:
    if binding is not None and not isinstance(instance, binding.model):
        problem = f'a binding of "{binding.model.__name__}" was given for an instance of "{type(instance).__name__}"'
        raise UsageError(problem, "pass the binding of the instance's own class, or none for the store on the class")
    return codec_of(binding or type(instance))


def _make(model: type[M] | Bound[M]) -> Codec[M]:
    cls = class_of(model)
    if store_of(model) is None:
        raise UsageError(f'"{cls.__name__}" has no __store__ of its own', "give the class one, or pass kw.bind(...)")
    binding = binding_of(cls.__name__, model)
    if binding is None:
        raise UsageError(f'"{cls.__name__}" was refused when it was declared', "run `keywright check` to see why")
    made: Codec[M] = import_module(f"{__name__}.{binding.engine}").codec(binding, cls)
    return made
