"""Strict versions of Pydantic's schemas, with the limits of a store, which validate the values of calls.

The schema of a model is walked together with its logical type, so that each part of the schema has a field path. Only
whole numbers are coerced, to floats or decimals; instances are validated again, with all their values.
"""

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic_core import CoreConfig, PydanticCustomError, core_schema

from keywright.declare.fields import fields_of
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union
from keywright.ir.binding import Binding

from .limits import LimitOf
from .strict_values import CLASSES, Schema, checked, scalar_schema, strictly

OURS = "kw_"
"""Prefix of the types of errors whose text is written here and contains no value."""

_OF_FIELDS = ("model-fields", "dataclass-args", "arguments", "named-tuple")
_INNER = ("schema", "items_schema", "values_schema", "arguments_schema")
_SETS = {"set": set, "frozenset": frozenset}
_FUNCTIONS = ("function-before", "function-after", "function-wrap", "function-plain")


class Strict:
    """The strict schemas of one model in one store."""

    def __init__(self, binding: Binding, model: type[BaseModel], limit_of: LimitOf) -> None:
        model.model_rebuild()
        self._binding, self._limit_of = binding, limit_of
        root: Any = TypeAdapter(model).core_schema
        self.definitions: dict[str, Schema] = {}
        if root["type"] == "definitions":
            self.definitions = {definition["ref"]: definition for definition in root["definitions"]}
            root = root["schema"]
        self._root: Schema = root
        self._is_wrapped = False
        self._fields_by_name = self._fields(root)

    @property
    def config(self) -> CoreConfig:
        """The model's configuration made strict, for validating single fields."""
        config: CoreConfig = _strict(self._model(self._root).get("config"))
        return config

    def instance(self) -> Schema:
        """The schema of a whole instance, which runs all validators of the model."""
        struct = Struct(self._binding.entity.name, self._binding.entity.attributes)
        return self._tightened(self._root, struct, "")

    def field(self, path: str, kinds: tuple[Attribute, ...]) -> Schema:
        """The schema of the value at a field path; kinds: the attributes along it."""
        schema = self._named(path.split("."))
        return self._tightened(_without_field_validators(_without_default(schema)), kinds[-1].type, path)

    def element(self, path: str, kinds: tuple[Attribute, ...]) -> Schema:
        """The schema of one element of the list at a field path."""
        kind = kinds[-1].type
        assert isinstance(kind, Many)
        list_schema = self._inside(self._named(path.split(".")), lambda schema: "items_schema" in schema)
        items = list_schema["items_schema"]
        return self._tightened(
            _without_field_validators(items[0] if isinstance(items, list) else items), kind.element, path
        )

    def _named(self, names: list[str]) -> Schema:
        schema = self._fields_by_name[names[0]]
        for name in names[1:]:
            schema = self._fields(schema)[name]
        return schema

    def _fields(self, schema: Schema) -> dict[str, Schema]:
        """Fields of the model in a schema, also inside a list; of a union, those that every member has."""
        schema = self._inside(schema, lambda inner: inner["type"] in (*_OF_FIELDS, "tagged-union"))
        if schema["type"] != "tagged-union":
            return dict(_named(schema))
        members = [self._fields(choice) for choice in schema["choices"].values()]
        names = [name for name in members[0] if all(name in member for member in members)]
        return {name: _either([member[name] for member in members]) for name in names}

    def _model(self, schema: Schema) -> Schema:
        return self._inside(schema, lambda inner: inner["type"] in ("model", "dataclass"))

    def _inside(self, schema: Schema, matches: Callable[[Schema], bool]) -> Schema:
        while not matches(schema):
            if schema["type"] == "definition-ref":
                schema = self.definitions[schema["schema_ref"]]
                continue
            inner = next(schema[key] for key in _INNER if key in schema)
            schema = inner[0] if isinstance(inner, list) else inner
        return schema

    def _tightened(self, schema: Schema, kind: Type, path: str) -> Schema:
        """A schema made strict; kind: its logical type."""
        if isinstance(kind, Scalar) and kind.kind == "json":
            limit = self._limit_of(self._binding, path, kind)
            return checked(schema, limit.check) if limit and limit.check else schema
        if schema["type"] == "definition-ref":
            schema = {key: value for key, value in self.definitions[schema["schema_ref"]].items() if key != "ref"}
        make = _MAKERS.get(schema["type"])
        if make is not None:
            return make(self, schema, kind, path)
        if schema["type"] in _FUNCTIONS:
            return self._function(schema, kind, path)
        if "schema" in schema:
            return {**schema, "schema": self._tightened(schema["schema"], kind, path)}
        return self._leaf(schema, kind, path)

    def _function(self, schema: Schema, kind: Type, path: str) -> Schema:
        if schema["type"] == "function-before" and self._is_model(schema):
            # The function converts input to the model's form, and this value is an instance already.
            return self._tightened(schema["schema"], kind, path)
        if schema["type"] != "function-plain":
            was_wrapped, self._is_wrapped = self._is_wrapped, True
            inner = self._tightened(schema["schema"], kind, path)
            self._is_wrapped = was_wrapped
            return {**schema, "schema": inner}
        # The function may return anything, such as a document of operators, which no field takes.
        class_schema = CLASSES.get(kind.kind) if isinstance(kind, Scalar) and not kind.is_converted else None
        return core_schema.chain_schema([schema, class_schema]) if class_schema else schema

    def _is_model(self, schema: Schema) -> bool:
        """Whether validators belong to a whole model."""
        while schema["type"] in _FUNCTIONS and "schema" in schema:
            schema = schema["schema"]
        return schema["type"] in ("model", "dataclass")

    def _leaf(self, schema: Schema, kind: Type, path: str) -> Schema:
        return scalar_schema(schema, self._limit_of(self._binding, path, kind) if isinstance(kind, Scalar) else None)

    def _default(self, schema: Schema, kind: Type, path: str) -> Schema:
        return self._tightened(schema["schema"], kind, path)

    def _of_model(self, schema: Schema, kind: Type, path: str) -> Schema:
        """An instance, validated field by field, because the schema of its class would trust instances."""
        was_wrapped, self._is_wrapped = self._is_wrapped, False
        fields = self._of_fields(self._fields_schema(schema), kind, path)
        self._is_wrapped = was_wrapped
        cls = schema["function"] if schema["type"] == "call" else schema["cls"]  # a named tuple is called
        read_fields = core_schema.no_info_plain_validator_function(_reader(cls))
        instance_schema = core_schema.chain_schema([core_schema.is_instance_schema(cls), read_fields, fields])
        # A validator around the model may change its input, and therefore receives a copy.
        return core_schema.no_info_wrap_validator_function(_copied, instance_schema) if was_wrapped else instance_schema

    def _fields_schema(self, schema: Schema) -> Schema:
        return self._inside(schema, lambda inner: inner["type"] in _OF_FIELDS)

    def _of_fields(self, schema: Schema, kind: Type, path: str) -> Schema:
        """Fields by name, without aliases; an instance has all of them."""
        assert isinstance(kind, Struct)
        types = {attribute.name: attribute.type for attribute in kind.attributes}
        fields = {
            name: core_schema.model_field(
                self._tightened(_without_default(field), types[name], f"{path}.{name}" if path else name)
            )
            for name, field in _named(schema)
            if name in types
        }
        for name in kind.ends:
            fields[name] = core_schema.model_field(core_schema.no_info_plain_validator_function(_reject_deeper))
        return core_schema.model_fields_schema(fields, from_attributes=True, extra_behavior="ignore")

    def _of_union(self, schema: Schema, kind: Type, path: str) -> Schema:
        """An instance of one of several models, validated as the one that its discriminator names."""
        if not isinstance(kind, Union):  # a field that all members of a union have, with the schema of each
            return {**schema, "choices": [self._tightened(choice, kind, path) for choice in schema["choices"]]}
        choices = {tag: self._tightened(choice, kind.by_tag[tag], path) for tag, choice in schema["choices"].items()}
        return {**schema, "choices": choices}

    def _of_elements(self, schema: Schema, kind: Type, path: str) -> Schema:
        element = kind.element if isinstance(kind, Many) else kind
        tightened = strictly(schema)
        if isinstance(kind, Many) and kind.is_vector:
            tightened |= {"min_length": kind.min_items, "max_length": kind.max_items}
        items = schema.get("items_schema")
        if isinstance(items, list):
            kinds = kind.elements if isinstance(kind, Tuple) else [element] * len(items)
            tightened["items_schema"] = [
                self._tightened(item, item_kind, path) for item, item_kind in zip(items, kinds, strict=True)
            ]
        elif items is not None:
            tightened["items_schema"] = self._tightened(items, element, path)
        if isinstance(kind, Many) and kind.is_vector:
            limit = self._limit_of(self._binding, path, kind)
            return checked(tightened, limit.check) if limit and limit.check else tightened
        if schema["type"] not in _SETS or isinstance(element, Scalar):
            return tightened
        # The validated copies of models are dictionaries, which a set cannot contain.
        as_list = {key: value for key, value in tightened.items() if key not in ("fail_fast", "ref")}
        own_class = core_schema.is_instance_schema(_SETS[schema["type"]])
        return core_schema.chain_schema([own_class, {**as_list, "type": "list", "strict": False}])

    def _of_map(self, schema: Schema, kind: Type, path: str) -> Schema:
        assert isinstance(kind, Map)
        tightened = strictly(schema)
        tightened["keys_schema"] = self._of_keys(schema.get("keys_schema") or {"type": "str"}, kind, path)
        if "values_schema" in schema:
            tightened["values_schema"] = self._tightened(schema["values_schema"], kind.value, path)
        return tightened

    def _of_keys(self, schema: Schema, kind: Map, path: str) -> Schema:
        """The schema of a map's keys, with the limit of the store on keys instead of that on values."""
        limit_of, limit = self._limit_of, self._limit_of(self._binding, path, kind)
        self._limit_of = lambda *_: limit
        keys = self._tightened(schema, kind.key, path)
        self._limit_of = limit_of
        return keys


_MAKERS: dict[str, Callable[[Strict, Schema, Type, str], Schema]] = {
    "default": Strict._default,
    "model": Strict._of_model,
    "dataclass": Strict._of_model,
    "call": Strict._of_model,
    "named-tuple": Strict._of_model,
    "arguments": Strict._of_fields,
    "model-fields": Strict._of_fields,
    "dataclass-args": Strict._of_fields,
    "list": Strict._of_elements,
    "set": Strict._of_elements,
    "frozenset": Strict._of_elements,
    "tuple": Strict._of_elements,
    "tagged-union": Strict._of_union,
    "union": Strict._of_union,
    "dict": Strict._of_map,
    "counter": Strict._of_map,
    "deque": Strict._of_elements,
}  # fmt: skip


def _strict(config: Mapping[str, Any] | None) -> Any:
    return {**(config or {}), "strict": True}


def _named(fields: Schema) -> Iterator[tuple[str, Schema]]:
    """(name, schema) of the fields of a model or dataclass."""
    named = fields["arguments_schema"] if fields["type"] == "arguments" else fields["fields"]
    for name, field in named.items() if isinstance(named, dict) else ((field["name"], field) for field in named):
        yield name, field["schema"]


def _reader(cls: type) -> Callable[[Any], Any]:
    """A function that returns the fields of an instance as a dictionary, which Pydantic reads faster than attributes.

    It rejects an instance of a subclass with further fields, which would not be stored.
    """

    is_named_tuple = issubclass(cls, tuple)

    def read_fields(instance: Any) -> Any:
        if type(instance) is not cls and (more := fields_of(type(instance)).keys() - fields_of(cls).keys()):
            details = {"cls": cls.__name__, "names": ", ".join(sorted(more))}
            raise PydanticCustomError("kw_subclass", "an instance of {cls} is expected, without {names}", details)
        return instance._asdict() if is_named_tuple else getattr(instance, "__dict__", instance)

    return read_fields


def _reject_deeper(value: Any) -> Any:
    """Nothing, in the last level of a model inside itself."""
    if value:
        raise PydanticCustomError("kw_depth", "it is deeper than kw.Depth(...) allows")
    return value


def _copied(value: Any, validate: Callable[[Any], Any]) -> Any:
    validate(value)
    return copy(value)


def _either(schemas: list[Schema]) -> Schema:
    return schemas[0] if len(schemas) == 1 else core_schema.union_schema(list(schemas), mode="left_to_right")


def _without_default(schema: Schema) -> Schema:
    return schema["schema"] if schema["type"] == "default" else schema


def _without_field_validators(schema: Schema) -> Schema:
    """A field's schema without validators that read other fields, because an update does not contain them."""
    while schema["type"] in _FUNCTIONS and schema["function"]["type"] == "with-info" and "schema" in schema:
        schema = schema["schema"]
    if "schema" in schema and schema["type"] in (*_FUNCTIONS, "default", "nullable"):
        return {**schema, "schema": _without_field_validators(schema["schema"])}
    return schema
