"""The compiled models at run time: generated code converts instances to keys and items, and items to instances.

```python
from keywright import runtime

client.put_item(TableName="dev-shop", Item=runtime.to_item(order))
order = runtime.from_item(Order, client.get_item(TableName="dev-shop", Key=runtime.key_of(order))["Item"])
```

Access patterns are functions. Each uses the access path that `keywright patterns` shows and `keywright prove` verifies:

```python
db = runtime.open(models, environment="prod", dynamodb=client)
for order in orders_of_user(db, user_id="u-1"):
    ...
```
"""

from types import ModuleType
from typing import Any, TypeVar

from pydantic import BaseModel

from keywright.declare.answers import Around as Around
from keywright.declare.answers import OnInvalid as OnInvalid
from keywright.declare.answers import Page as Page
from keywright.declare.answers import Taken as Taken
from keywright.declare.fields import class_of, store_of
from keywright.declare.store import Bound
from keywright.engines.registry import runtime_of
from keywright.errors import UsageError
from keywright.frontend.lower import binding_of
from keywright.ir.apply_transform import Poison

from .database import Database as Database
from .database import Refused as Refused
from .database import opened
from .errors import InvalidCursor as InvalidCursor
from .errors import InvalidItem as InvalidItem
from .errors import InvalidValue as InvalidValue
from .errors import WrongVersion as WrongVersion
from .items.codec import Codec
from .validate.arguments import ConditionFailed as ConditionFailed

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
    on_refused: Refused | None = None,
    on_invalid: OnInvalid = "raise",
    **others: Any,
) -> Database:
    """An open database for calling patterns, such as `orders_of_user(db, user_id="u-1")`.

    models: a module of the project's models, or the project's folder; by default the project around the working folder.
    environment: name of an environment; by default the project's default one. The clients belong to the application: a
    low-level boto3 client, a MongoClient, a Cassandra session, a redis.Redis or a mapping from server names to several.
    others: clients of engines that other packages bring, by the name of the engine.
    on_refused: a function that is called with the InvalidValue of a rejected call before the error is raised.
    on_invalid: the treatment of a stored item that does not fit its model: "raise" InvalidItem, "skip" the item, or a
    function that is called with the error before the item is skipped.
    All patterns are planned once, here. Raises DeclarationErrors for models that do not compile.
    """
    clients = {"dynamodb": dynamodb, "mongodb": mongodb, "cassandra": cassandra, "redis": redis, **others}
    passed = {name: client for name, client in clients.items() if client is not None}
    return opened(models, environment, passed, codec_of, on_refused=on_refused, on_invalid=on_invalid)


def codec_of(model: type[M] | Bound[M]) -> Codec[M]:
    """The codec of a model in the store of its class, or of a binding's model in its store; made once.

    Raises UsageError for a model without a store, DeclarationError for a model that does not compile.
    """
    codec = _codecs.get(id(model))
    if codec is None:
        # The reference to the model prevents another object from getting its id.
        codec = _codecs[id(model)] = (model, _make(model))
    return codec[1]


def key_of(instance: BaseModel, binding: Bound[Any] | None = None) -> Any:
    """The native key of an instance in the store of its class, or of a binding of its class."""
    return _codec_for(instance, binding).key_of(instance)


def to_item(instance: BaseModel, binding: Bound[Any] | None = None) -> Any:
    """The native item of an instance; for an entity with read copies, the first copy."""
    return _codec_for(instance, binding).to_items(instance)[0]


def to_items(instance: BaseModel, binding: Bound[Any] | None = None) -> list[Any]:
    """All native items of an instance, one for each read copy."""
    return _codec_for(instance, binding).to_items(instance)


def from_item(model: type[M] | Bound[M], item: Any) -> M:
    """The instance of a native item; declared upgrades first convert an item of an older schema version.

    Raises pydantic.ValidationError if the model rejects the item, InvalidItem if an upgrade does.
    """
    codec = codec_of(model)
    try:
        return codec.from_item(item)
    except Poison as error:
        reason = f"an upgrade rejects it: {error}"
        raise InvalidItem(class_of(model).__name__, None, reason) from error


def _codec_for(instance: M, binding: Bound[Any] | None) -> Codec[M]:
    if binding is not None and not isinstance(instance, binding.model):
        problem = f'a binding of "{binding.model.__name__}" was passed for an instance of "{type(instance).__name__}"'
        raise UsageError(problem, "pass a binding of the instance's class, or none for the store of the class")
    return codec_of(binding or type(instance))


def _make(model: type[M] | Bound[M]) -> Codec[M]:
    cls = class_of(model)
    if store_of(model) is None:
        raise UsageError(f'"{cls.__name__}" has no __store__', "declare one in the class, or pass kw.bind(...)")
    binding = binding_of(cls.__name__, model)
    if binding is None:
        raise UsageError(
            f'"{cls.__name__}" was rejected when it was declared', "run `keywright check` to see the error"
        )
    codec: Codec[M] = runtime_of(binding.engine).codec(binding, cls)
    return codec
