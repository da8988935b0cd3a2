"""CAS041: a row with a chosen key is put without a condition, so that a second owner replaces the first."""

import re
from collections.abc import Iterator

from keywright.engines.findings.amounts import is_number
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.findings.rates import calls
from keywright.errors import quoted
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding

from ..access.growth import is_moment
from ..access.layout import Layout
from ..access.relation import RelationColumn
from ..declare.options import CqlTable
from ..findings.changes import own_id, words
from ..findings.owners import sole_owner
from ..findings.tables import entities

_CHOSEN = (
    "name", "username", "email", "handle", "login", "slug", "seat", "slot", "domain", "subdomain", "alias", "nickname"
)  # fmt: skip

_MADE = re.compile(r"^(?:at|now)$|(?:^|_)(?:[a-z]+ed|made|sent|given|taken|bought|sold|paid)_(?:at|on)$")
"""Names of the times at which something was done."""

_IDENTITIES = ("username", "email", "handle", "login", "nickname")

_BOOKINGS = ("booking", "reservation", "appointment", "allocation", "lease")


def models(
    context: RuleContext,
    *,
    chosen: tuple[str, ...] = _CHOSEN,
    identities: tuple[str, ...] = _IDENTITIES,
    bookings: tuple[str, ...] = _BOOKINGS,
) -> Iterator[FindingDraft]:
    """Every put of a record whose own id, or whose owner, is outside the key, or whose key is a chosen identity.

    chosen: last words in the names of key fields that people choose, so that two owners can choose the same.
    identities: those that are the whole identity of an account; a put then creates it if there are updates too.
    bookings: last words in the names of entities that give a place at a time to one owner.
    """
    for _, binding, layout in entities(context):
        puts = [plan.pattern for plan, _ in calls(context, binding, "put")]
        if binding.spec.kind not in ("record", "stock") or not puts or any(put.if_absent for put in puts):
            continue
        is_booking = words(binding.entity.name)[-1] in bookings or _is_single_piece(binding, layout)
        moments = [part for part in layout.table.clustering if is_moment(part)]
        if moments and not (is_booking and not any(map(_is_past, moments))):
            continue
        owner = _owner(binding, layout, chosen, is_booking)
        if not owner and len(layout.keys) == 1 and any(calls(context, binding, "update")):
            owner = binding.entity.name if words(layout.keys[0].cell.field)[-1] in identities else ""
        owner = owner or sole_owner(binding, layout)
        if owner:
            keys = [part.cell.field for part in layout.keys]
            yield FindingDraft(
                problem=f"it replaces an existing row of the same {quoted(keys)} without an error: a second "
                f'"{owner}" takes it over',
                help="say if_absent=True, and change existing rows by a kw.Update",
                subject=puts[0].name,
                at=puts[0].at,
                fix=Fix((SetArgument("if_absent", "True"),)),
            )


def _is_past(part: RelationColumn) -> bool:
    """Whether a time is by its name that of the row, so that no other row has it, and not that of a place."""
    return bool(_MADE.search(part.cell.field))


def _is_reference(attribute: Attribute) -> bool:
    """Whether a field refers to another entity, by its declaration or by its name; an editor is no owner."""
    *stem, last = words(attribute.name)
    kind = attribute.type
    if not isinstance(kind, Scalar) or kind.kind not in ("string", "uuid", "integer") or "by" in stem:
        return False
    return kind.facts.reference is not None or kind.kind == "uuid" or (last == "id" and bool(stem))


def _is_single_piece(binding: Binding[CqlTable], layout: Layout) -> bool:
    """Whether each row is a piece of a stock, such as a seat, and not a number of pieces."""
    keys = {part.cell.field for part in layout.keys}
    others = (attribute for attribute in binding.entity.attributes if attribute.name not in keys)
    return binding.spec.kind == "stock" and not any(map(is_number, others))


def _is_place(part: RelationColumn) -> bool:
    """Whether a key part is a day, a time or a number, such as a night or a seat, of which there is one each."""
    kind = part.cell.type
    return isinstance(kind, Scalar) and kind.kind in ("date", "time", "integer", "datetime")


def _owner(binding: Binding[CqlTable], layout: Layout, chosen: tuple[str, ...], is_booking: bool) -> str:
    """The field outside the key that tells two owners of a key apart; empty if there is none."""
    keys = {part.cell.field for part in layout.keys}
    identity, entity_words = own_id(binding, layout), words(binding.entity.name)
    if is_booking and identity and words(identity[0])[-2:-1] not in ([], entity_words[-1:]):
        identity = None  # the id of the place, such as `desk_id` of a DeskBooking
    is_chosen = any(words(name)[-1] in chosen for name in keys)
    is_place = len(keys) > 1 and any(_is_place(part) for part in layout.keys)
    if not is_chosen and not (is_place and (identity or is_booking)):
        return ""
    if identity is not None:
        return "" if identity[1] else identity[0]
    others = [field for field in binding.entity.attributes if field.name not in keys and field.copied_from is None]
    owners = [*filter(_is_reference, others), *(filter(_is_free_text, others) if is_booking else ())]
    return owners[0].name if owners else ""


def _is_free_text(attribute: Attribute) -> bool:
    """Whether a field of a booking can name its owner: a required text that is no state."""
    kind = attribute.type
    return isinstance(kind, Scalar) and kind.kind == "string" and not kind.constants and not attribute.is_nullable
