"""Collations: the indexes that a pattern with `collation=` may use, and the collation of a call.

A request has one collation for all of its texts. The server uses an index with another collation only for values that
are not texts, and never for an order, because it does not know the types of a field's other values.
Source: https://www.mongodb.com/docs/manual/reference/collation/#collation-and-index-use, 2026-11-22.
"""

from typing import Any

from keywright.access.path import By, Rejected
from keywright.access.query import Query
from keywright.ir.json import Json
from keywright.ir.pattern import Collation
from keywright.record import replace

from ...schema.check_index import refused_collation
from ...schema.reported import collation
from ..layout import Layout
from ..selection import PathTerm, Selection
from .candidate import ChoiceKind, DocumentChoice

NO_TEXT = frozenset(("int", "long", "double", "decimal", "objectId", "date", "bool", "binData"))
"""BSON types whose values no collation affects."""


def required_rules(query: Query) -> Json:
    """The collation of a pattern in the form that the server reports; None if the pattern has none."""
    rules = query.pattern.collation
    return collation({"locale": rules.locale, "strength": rules.strength}) if rules else None


def refused_rules(query: Query) -> str | None:
    """Return the reason why a pattern's collation is invalid, or None."""
    rules = query.pattern.collation
    refusal = refused_collation({"locale": rules.locale, "strength": rules.strength}) if rules else None
    return refusal[0] if refusal else None


def by_rules(view: Layout, query: Query, choice: ChoiceKind) -> ChoiceKind:
    """A choice for a pattern with `collation=`, or the reason why it does not serve with this collation."""
    if not isinstance(choice, DocumentChoice):
        return choice
    required, default = required_rules(query), view.collection.collation
    own = choice.index.target.collation if choice.index is not None else default
    sent = None if required == default else required or {"locale": "simple"}
    if own != required and (reason := _text_of(view, choice)):
        return choice.nearness + 1, Rejected(choice.by, f"{_named(view, choice.by, own)}, and {reason}")
    return replace(choice, selection=replace(choice.selection, collation=sent))


def _text_of(view: Layout, choice: DocumentChoice) -> str | None:
    """The reason why a choice depends on the collation of its index; None if it does not."""
    if choice.order in ("index", "merge"):
        return "is not read in the order of others"
    if any(not isinstance(condition, PathTerm) for condition in choice.selection.conditions):
        return "the key is text"
    field = next(
        (condition.field for condition in choice.decided if view.types.get(condition.field) not in NO_TEXT), None
    )
    return f'"{field}" may be text' if field else None


def _named(view: Layout, by: By, own: Json) -> str:
    subject = f'index "{by.name}"' if by.kind == "index" else f'"_id" of "{view.name}"'
    return f"{subject} compares texts by {described_rules(own)}"


def described_rules(rules: Any) -> str:
    """A collation as text for reports."""
    return f'the rules of "{rules["locale"]}", strength {rules["strength"]}' if rules else "their bytes"


def compared_by(view: Layout, selection: Selection) -> Collation | None:
    """The collation with which a call compares texts; None for byte order."""
    rules: Any = selection.collation if selection.collation is not None else view.collection.collation
    if not rules or rules["locale"] == "simple":
        return None
    return Collation(rules["locale"], rules["strength"], has_more=len(rules) > 2)
