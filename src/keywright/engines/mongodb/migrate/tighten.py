"""Whether a validator accepts all that another one did."""

from typing import Any


def is_looser(before: Any, after: Any) -> bool:
    """Whether every document that fulfils `before` fulfils `after` too, as far as that can be told.

    Told are fields that may come, fields that are no longer required, words that are added, and bounds that are wider;
    anything else counts as tighter.
    """
    if after is None or before == after:
        return True
    if not isinstance(before, dict) or not isinstance(after, dict):
        return False
    if before.keys() == {"$jsonSchema"} == after.keys():
        return _accepts(before["$jsonSchema"], after["$jsonSchema"])
    return False


def _accepts(old: Any, new: Any) -> bool:
    """Whether one schema accepts all that another one does, keyword by keyword."""
    keywords = (old.keys() | new.keys()) - {"properties", "required", "additionalProperties"}
    if not all(_is_wider(word, old.get(word), new.get(word)) for word in keywords):
        return False
    if not set(new.get("required", ())) <= set(old.get("required", ())):
        return False
    may_have_more = old.get("additionalProperties", True) is not False
    if may_have_more and new.get("additionalProperties", True) is False:
        return False
    known, wanted = old.get("properties", {}), new.get("properties", {})
    if not known.keys() <= wanted.keys() and new.get("additionalProperties", True) is False:
        return False
    if may_have_more and not wanted.keys() <= known.keys():
        return False  # what stood there unseen is judged from now on
    return all(_accepts(known[name], wanted[name]) for name in known.keys() & wanted.keys())


def _is_wider(word: str, old: Any, new: Any) -> bool:
    """Whether one keyword accepts all that it did; one that goes always does, one that comes never."""
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
    return False


def _types(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]
