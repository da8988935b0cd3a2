"""Converts a server's report of collections and indexes into descriptions, without the defaults that it adds.

Both sides of a comparison are made here or by the codec, so that a live database equals the declared database.
"""

from typing import Any

from keywright.ir.json import Json

from . import projection as projections
from .capabilities import BUCKET_SPANS, COLLATION_DEFAULTS, LOCALE_DEFAULTS
from .filter_form import normal
from .marked_validators import without
from .views import normal_pipeline

_FILLED_IN = {
    "language_override": ("language",),
    "textIndexVersion": (3, 2),
    "2dsphereIndexVersion": (3, 2),
    "v": (2, 1),
    "sparse": (False,),
    "unique": (False,),
    "hidden": (False,),
    "prepareUnique": (False,),
    "background": (True, False),
}

_ALWAYS_SPARSE = frozenset(("text", "2dsphere"))
"""Kinds of index that omit documents without their field, with the option `sparse` or without it."""


def is_hidden_collection(name: str) -> bool:
    """Whether a collection is the server's own, such as the buckets of time series, or keywright's history."""
    return name.startswith(("system.", "_kw_"))


def collection(reported: dict[str, Any]) -> dict[str, Json]:
    """The description of a collection from its entry in listCollections.

    reported: the entry as relaxed Extended JSON.
    """
    options: dict[str, Any] = dict(reported.get("options", {}))
    options.pop("uuid", None)
    if not options.get("validator"):
        for name in ("validator", "validationLevel", "validationAction"):
            options.pop(name, None)
    else:
        options["validator"] = without(options["validator"])
        options.setdefault("validationLevel", "strict")
        options.setdefault("validationAction", "error")
    if not options.get("changeStreamPreAndPostImages", {}).get("enabled"):
        options.pop("changeStreamPreAndPostImages", None)
    if not options.get("capped", True):
        options.pop("capped")
    if "clusteredIndex" in options:
        options["clusteredIndex"] = {key: value for key, value in options["clusteredIndex"].items() if key != "v"}
    if "viewOn" in options:
        options["pipeline"] = normal_pipeline(options.get("pipeline", []))
    if "timeseries" in options:
        options["timeseries"] = _series(options["timeseries"])
    return _with_collation(_with_integer_expiry(options))


def index(reported: dict[str, Any]) -> tuple[str, dict[str, Json]]:
    """(name, description) of an index from its entry in listIndexes, as relaxed Extended JSON."""
    spec: dict[str, Any] = {key: value for key, value in reported.items() if key not in ("name", "ns", "key")}
    spec = {key: value for key, value in spec.items() if value not in _FILLED_IN.get(key, ())}
    if _ALWAYS_SPARSE.intersection(map(str, reported["key"].values())):
        spec.pop("sparse", None)
    if "partialFilterExpression" in spec:
        spec["partialFilterExpression"] = normal(spec["partialFilterExpression"])
    if projection := dict(projections.normal(projections.flat(spec.pop("wildcardProjection", {})))):
        spec["wildcardProjection"] = projection
    described: dict[str, Json] = {"key": _keys(reported["key"], spec.get("weights", {}))}
    return str(reported["name"]), described | _with_collation(_with_integer_expiry(spec))


def collation(rules: dict[str, Any]) -> Json:
    """A collation with its strength and its differences from the defaults of the language; None for byte order."""
    locale = rules.get("locale", "simple")
    if locale == "simple":
        return None
    defaults = {**COLLATION_DEFAULTS, **LOCALE_DEFAULTS.get(locale.partition("@")[0], {})}
    options = {key: value for key, value in rules.items() if key != "version" and defaults.get(key) != value}
    return {**options, "strength": rules.get("strength", defaults["strength"])}


def _with_collation(options: dict[str, Any]) -> dict[str, Json]:
    if "collation" not in options:
        return options
    rules = collation(options.pop("collation"))
    return options | ({"collation": rules} if rules else {})


def _with_integer_expiry(options: dict[str, Any]) -> dict[str, Any]:
    """Options with the expiry as an integer, whatever number type was stored."""
    seconds = options.get("expireAfterSeconds")
    return options | {"expireAfterSeconds": int(seconds)} if isinstance(seconds, float) else options


def _series(options: dict[str, Any]) -> dict[str, Json]:
    """Options of a time series without the bucket spans that follow from the granularity."""
    spans = BUCKET_SPANS.get(options.get("granularity", ""), {})
    return {key: value for key, value in options.items() if spans.get(key) != value}


def _keys(key: dict[str, Any], weights: dict[str, Any]) -> Json:
    """Pairs in order; the server reports two internal fields in place of the fields of a text index."""
    pairs: list[Json] = []
    for path, direction in key.items():
        if path == "_fts":
            pairs += [[field, "text"] for field in sorted(weights)]
        elif path != "_ftsx":
            pairs.append([path, direction if isinstance(direction, str) else (-1 if direction < 0 else 1)])
    return pairs
