"""Amounts of money, and increments of them, for rules of every engine."""

import re
from collections.abc import Iterator

from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.pattern import Pattern
from keywright.record import Record

from .context import RuleContext
from .pattern_facts import callers, identity

_NUMBERS = ("integer", "decimal", "float")
_CENTS = 2
"""Decimal places of an amount in most currencies."""
_AMOUNT = re.compile(
    r"(?:^|_)(?:balance|cents|minor|pence|amount|paid|price|fee|revenue|refunded|credits?|miles)(?:$|_)"
)
"""Words in names of numbers that hardly ever mean anything other than money."""
MONEY = re.compile(
    r"(?:^|_)(?:prices?|costs?|fees?|balances?|revenues?|salar(?:y|ies)|tax(?:es)?|vat|fares?|wages?|payouts?|payments?"
    r"|commissions?|surcharges?|refunds?|subtotals?|earnings|amounts?|premiums?|deductibles?|deposits?|dividends?"
    r"|stipends?|royalt(?:y|ies)|lev(?:y|ies)|tariffs?|budgets?|debts?|rents?|tolls?|charges|invoices?|invoiced"
    r"|turnovers?|salvage|penalt(?:y|ies)|pensions?|expenses?|proceeds|compensations?|reimburse(?:ments?|d)|refunded|rebates?"
    r"|(?:house|net|gross)_take|takings|jackpots?|winnings|(?:sum|amount)_(?:insured|assured)|insured_sum|cashback|donations?|tuition|alimony|loans?|mortgages?|owed|payable|receivable|billed"
    r"|(?:order|cart|basket|deal|market|insured|book|asset|contract|resale|residual)_value"
    r"|eur|usd|gbp|chf)(?:$|_)"
)
"""Words in names of fields that hardly ever mean anything other than money."""
UNITS = re.compile(
    r"(?:^|_)(?:lit(?:re|er)s?|k?grams?|kg|lb|k?m|miles|met(?:re|er)s|percent|ratio|share|score|rate|rating|factor"
    r"|m?s|seconds|hours|minutes|days|lat|latitude|lng|lon|longitude|weight|height|width|length|volume|distance|speed"
    r"|celsius|quantity|probability|confidence|kwh|kw|watts?|volts?|count|index|angle|x|y|z)(?:$|_)"
)
"""Words in names of measures, which floats store."""
_CURRENCY = re.compile(r"(?:^|_)(?:currency(?:_code)?|ccy)$")
_CODES = frozenset(("EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "CAD", "AUD"))
"""Currencies, of which a closed set of currencies has one at least."""
_BOOKS = re.compile(r"\b(?:book-?keeping|accounting|invoices?|tax(?:es)?|fiscal|financ(?:e|ial))\b", re.IGNORECASE)
"""Words of reasons for which records of money are kept."""
BALANCES = ("money", "stock")
"""Kinds of entities with numbers that changes must keep consistent."""
_OTHERS = ("stock", "analytics", "feed", "cache", "session", "reading")
"""Kinds of entities whose numbers are units, or figures that may be off by a repeated request."""

_SETTINGS = re.compile(
    r"(?:^|_)(?:version|revision|position|order|rank|priority|level|sort|index|offset|cursor|sequence|seconds|minutes|"
    r"hours|days|ms|percent|price|year|limit|max|min|size|quota|target|threshold|step|stage|score|rating|weight|port|"
    r"age|duration|interval|progress|unread)(?:$|_)"
)
"""Words in names of integers that are set as such."""


class Increment(Record):
    """An increment, and the access pattern or transaction that runs it."""

    pattern: Pattern
    """The increment."""
    caller: Pattern
    """The increment itself, or its transaction."""
    binding: Binding
    """The entity."""

    @property
    def is_alone(self) -> bool:
        """Whether it is outside of a transaction."""
        return self.caller is self.pattern


def increments(context: RuleContext) -> Iterator[Increment]:
    """Every increment, including those of transactions."""
    bindings = {binding.name: binding for binding in context.design.bindings}
    for caller in callers(context.design):
        for pattern in caller.parts if caller.kind == "transact" else (caller,):
            if pattern.kind == "increment" and pattern.binding in bindings:
                yield Increment(pattern, caller, bindings[pattern.binding])


def is_number(attribute: Attribute | None) -> bool:
    """Whether an attribute is a number of any value."""
    kind = attribute.type if attribute else None
    return isinstance(kind, Scalar) and kind.kind in _NUMBERS and not kind.constants


def is_amount(binding: Binding, name: str) -> bool:
    """Whether a field is an amount of money by its type, or by its name."""
    attribute = binding.entity.attribute(name)
    if attribute is None or not is_number(attribute) or binding.spec.kind in _OTHERS or name in identity(binding):
        return False
    kind = attribute.type
    has_cents = isinstance(kind, Scalar) and kind.decimal_places == _CENTS
    is_exact = isinstance(kind, Scalar) and kind.kind == "decimal" and not UNITS.search(name)
    is_named = MONEY.search(name) or any(map(is_currency, binding.entity.attributes))
    return binding.spec.kind == "money" or has_cents or bool(_AMOUNT.search(name) or (is_exact and is_named))


def is_tally(binding: Binding, name: str) -> bool:
    """Whether a number is an integer that starts at a default, from 0 and without a bound, as counts do."""
    attributes = resolve(binding.entity.attributes, name)
    attribute = attributes[-1] if attributes else None
    kind = attribute.type if attribute else None
    return (
        attribute is not None
        and isinstance(kind, Scalar)
        and kind.kind == "integer"
        and kind.minimum in (0, None)
        and kind.maximum is None
        and not attribute.is_required
        and not attribute.is_nullable
        and attribute.copied_from is None
        and not is_amount(binding, name)
        and not _SETTINGS.search(name)
    )


def is_currency(attribute: Attribute) -> bool:
    """Whether a field is the currency of an amount, by its name or its values."""
    kind = attribute.type
    if not isinstance(kind, Scalar) or kind.kind != "string":
        return False
    return _CURRENCY.search(attribute.name) is not None or any(code in _CODES for code in kind.constants)


def is_of_books(binding: Binding) -> bool:
    """Whether an entity is a record of money, by its kind or by the reason for which it is kept."""
    return binding.spec.kind == "money" or _BOOKS.search(binding.spec.keep_forever or "") is not None


def bounded_below(pattern: Pattern) -> bool:
    """Whether a condition of an increment bounds its number from below."""
    return any(condition.field == pattern.field and condition.test == "at_least" for condition in pattern.where)


def increments_of_balances(context: RuleContext) -> Iterator[Increment]:
    """Increments of money and stock outside of transactions."""
    return (
        increment for increment in increments(context) if increment.is_alone and increment.binding.spec.kind in BALANCES
    )


def changes_of_balances(context: RuleContext) -> Iterator[tuple[Pattern, Binding, str]]:
    """(pattern, entity, field) of increments of money and stock, and of updates that take stock, outside of
    transactions.
    """
    for increment in increments_of_balances(context):
        yield increment.caller, increment.binding, increment.pattern.field or ""
    bindings = {binding.name: binding for binding in context.design.bindings if binding.spec.kind in BALANCES}
    for pattern in callers(context.design):
        taken = next((condition.field for condition in pattern.where if condition.field in pattern.sets), None)
        if pattern.kind == "update" and pattern.binding in bindings and taken is not None:
            yield pattern, bindings[pattern.binding], taken
