"""The test whether a validator accepts every document that another validator accepts."""

from typing import Any


def is_surely_looser(before: Any, after: Any) -> bool:
    """Whether `is_looser` holds for documents that contain only the fields of `before`, as its writers write them."""
    return is_looser(_closed(before), after)


def _closed(validator: Any) -> Any:
    """A validator that rejects fields that it does not name."""
    if isinstance(validator, dict) and validator.keys() == {"$jsonSchema"}:
        return {"$jsonSchema": _closed_schema(validator["$jsonSchema"])}
    return validator


def _closed_schema(schema: dict[str, Any]) -> dict[str, Any]:
    closed = {"additionalProperties": False, **schema} if "properties" in schema else dict(schema)
    if "properties" in schema:
        closed["properties"] = {name: _closed_schema(field) for name, field in schema["properties"].items()}
    if "anyOf" in schema:
        closed["anyOf"] = [_closed_schema(choice) for choice in schema["anyOf"]]
    inner = {word: _closed_schema(closed[word]) for word in ("items", "additionalProperties") if closed.get(word)}
    return closed | inner


def is_looser(before: Any, after: Any) -> bool:
    """Whether every document that meets `before` certainly meets `after` too.

    The test recognises new optional fields, fields that are no longer required, added enumeration values and wider
    bounds; every other change counts as tighter.
    """
    if after is None or before == after:
        return True
    if not isinstance(before, dict) or not isinstance(after, dict):
        return False
    if before.keys() == {"$jsonSchema"} == after.keys():
        return _accepts(before["$jsonSchema"], after["$jsonSchema"])
    return False


def _accepts(old: Any, new: Any) -> bool:
    """Whether one schema accepts every document that another one accepts, keyword by keyword."""
    keywords = (old.keys() | new.keys()) - {"properties", "required", "additionalProperties"}
    if not all(_is_wider(word, old.get(word), new.get(word)) for word in keywords):
        return False
    if not set(new.get("required", ())) <= set(old.get("required", ())):
        return False
    may_have_more = old.get("additionalProperties", True) is not False
    if may_have_more and new.get("additionalProperties", True) is False:
        return False
    old_fields, new_fields = old.get("properties", {}), new.get("properties", {})
    if not old_fields.keys() <= new_fields.keys() and new.get("additionalProperties", True) is False:
        return False
    if may_have_more and not new_fields.keys() <= old_fields.keys():
        return False  # values that the old schema did not check are checked from now on
    return all(_accepts(old_fields[name], new_fields[name]) for name in old_fields.keys() & new_fields.keys())


def _is_wider(word: str, old: Any, new: Any) -> bool:
    """Whether a changed keyword is wider: a removed keyword always is, an added keyword never."""
    if new is None or old == new:
        return True
    if old is None:
        return False
    if word in ("maxLength", "maxItems", "maximum", "maxProperties"):
        return bool(new >= old)
    if word in ("minLength", "minItems", "minimum", "minProperties"):
        return bool(new <= old)
    if word == "enum":
        return all(value in new for value in old)
    if word == "bsonType":
        return set(_types(old)) <= set(_types(new))
    if word == "items":
        return _accepts(old, new)
    if word == "anyOf":
        return all(any(_accepts(choice, other) for other in new) for choice in old)
    return False


def _types(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]
