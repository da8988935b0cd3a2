"""Personal and secret fields, by declaration or by name and type, for rules of every engine."""

import re
from collections.abc import Iterator

from keywright.engines.contract.naming import snake_case
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import element, resolve
from keywright.ir.personal import is_personal_path

from .context import fields
from .shapes import form, is_generated_text

KEYS = ("pk", "sk", "id", "key")
"""Templates of an item's own key."""

_PERSONAL = (
    ("an e-mail address", re.compile(r"(?:^|_)e?_?mails?(?:_addr(?:ess(?:es)?)?)?$"), "string"),
    (
        "a telephone number",
        re.compile(
            r"(?:^|_)(?:tele|cell_?|mobile_?)?phones?(?:_?(?:numbers?|no))?$|(?:^|_)msisdn$"
            r"|(?:^|_)(?:mobile|cell|fax)_?(?:numbers?|no)$"
        ),
        "string",
    ),
    (
        "a date of birth",
        re.compile(r"(?:^|_)(?:birth_?da(?:te|y)|date_of_birth|day_of_birth|dob)$"),
        "string date datetime",
    ),
    ("a date of birth", re.compile(r"(?:^|_)(?:born(?:_(?:on|at))?|birth)$"), "date datetime"),
    (
        "a postal address",
        re.compile(r"(?:^|_)(?:home|private|billing|shipping|delivery)_(?:addr(?:ess)?|street)(?:_line)?(?:_?1)?$"),
        "string",
    ),
    (
        "a document number",
        re.compile(
            r"(?:^|_)(?:passport|social_security|national_id(?:entity)?|identity_card|id_card|tax_id(?:entification)?|driv(?:er|ing)s?_licen[cs]e)"
            r"(?:_?(?:number|no|id))?$|(?:^|_)(?:ssn|passport_number)$"
        ),
        "string integer",
    ),
)
"""Contents of a field, names that hardly ever mean anything else, and kinds of value."""

_NAME = re.compile(r"(?:^|_)(?:last|first|family|given|maiden)_?name$|(?:^|_)surname$")
"""Names of texts with the name of a person."""

_PEOPLE = frozenset((
    "applicant", "author", "beneficiary", "buyer", "candidate", "cardholder", "child", "citizen", "client", "contact",
    "courier", "customer", "cyclist", "doctor", "driver", "employee", "guardian", "guest", "holder", "learner",
    "member", "nurse", "parent", "passenger", "people", "person", "player", "policyholder", "pupil", "reader",
    "resident", "rider", "seller", "staff", "student", "subscriber", "teacher", "tenant", "traveller", "user",
    "visitor", "worker",
))  # fmt: skip
"""Words for persons in the names of entities and of embedded models."""

_SECRETS = (
    (
        "a password",
        re.compile(r"(?:^|_)(?:password|passwd|passphrase|passcode|pwd)(?:_(?:plain|clear|text))*$"),
        "string bytes",
    ),
    (
        "a card number",
        re.compile(r"^(?:(?:credit|debit|payment|bank)_?)?(?:cards?|cc)_?(?:number|no|num|pan)$|^pan$"),
        "string integer",
    ),
    ("a card's security code", re.compile(r"(?:^|_)(?:cvv2?|cvc2?|card_security_code)$"), "string integer"),
    ("a bank account", re.compile(r"(?:^|_)iban$|(?:^|_)bank_account_(?:number|no)$"), "string"),
)

_ENTERED = re.compile(r"(?:^|_)(?:secret|pass|credentials?|login_key)$")
"""Endings of names of passwords, if people enter the values by their length."""

_MASKED = re.compile(
    r"(?:^|_)(?:hash(?:ed)?|digest|hmac|masked|encrypted|cipher(?:text)?|token(?:ized)?|last_?4?|argon2(?:id?)?|bcrypt|"
    r"scrypt|pbkdf2|sha_?(?:1|256|384|512))(?:$|_)"
)
"""Words of names whose values are not the plain value."""

_HASHES = re.compile(r"^\^?(?:\[(?=[^]]*[a-fA-F])[0-9a-fA-F-]+\]\{(?:16|32|40|48|56|64|96|128)\}|\\?\$)")
"""Patterns of hexadecimal digests, and of password hashes such as `$argon2id$...`."""

_CARD_NUMBER = re.compile(r"\^?(?:\[0-9\]|\\d)\{1[2-6],19\}\$?")
"""Patterns of the lengths that card numbers have, and little else."""

_CARD = re.compile(r"(?:^|_)(?:credit|debit|payment|bank)_?cards?$")
_CARD_LENGTHS = range(13, 24)
"""Characters of a card's number with spaces, by which a text named after a card is the number itself."""

_TELEPHONE = re.compile(r"(?:^|_)(?:mobile|cell|tel|telephone|landline)$")
_TELEPHONE_LENGTHS = range(7, 33)
"""Characters of a telephone number, by which a text named after a telephone is the number itself."""

_DEVICE = re.compile(r"(?:^|_)(?:imsi|imei|iccid|meid|vin|mac_?address|serial_?(?:number|no))$")
"""Names of numbers that makers and networks give to devices, cards and vehicles."""

_NETWORK = re.compile(r"(?:^|_)ip(?:v[46])?(?:_?addr(?:ess)?)?$|(?:^|_)(?:client|remote|peer|source|network)_address$")
"""Names of network addresses."""

_NETWORK_LENGTHS = (15, 39, 45, 46)
"""Bounds of texts that are IPv4 addresses, IPv6 addresses, and IPv4 addresses in IPv6 form."""

_POINTERS = "boolean date datetime time uuid"
"""Kinds of fields that say nothing about a person beyond a link to the record."""

_LEAST = {"a card number": 12, "an e-mail address": 16, "a bank account": 15}
"""Characters of the shortest value that a field of such contents must be able to hold."""

_LEAST_LENGTH = 3
"""Characters below which a text is a code or a flag, not the value itself."""

_DIGEST = 32
"""Characters from which a text of fixed length is a hash."""

_SHORTEST, _LONGEST = 4, 256
"""Characters of passwords that people enter."""

_OTHER_CARDS = re.compile(r"loyalty|library|member|gift|driver|tacho|sim|badge|access", re.IGNORECASE)
"""Names of models whose cards are no payment cards."""


def personal_content(path: str, attribute: Attribute) -> str | None:
    """Personal data in a field by its name and type or by its pattern, such as "an e-mail address"; None if none tells.

    path: its path, because an embedded `phone.number` is named by both parts.
    """
    return _content(path, attribute, _PERSONAL)


def is_name_of_person(path: str, attribute: Attribute) -> bool:
    """Whether a field contains the first or last name of a person by its own name.

    path: its path.
    """
    scalar = element(attribute.type)
    is_text = isinstance(scalar, Scalar) and scalar.kind == "string" and not scalar.constants
    return is_text and not scalar.facts.reference and any(map(_NAME.search, _names(path)))


def is_of_person(binding: Binding, path: str) -> bool:
    """Whether an entity is about a person, by its name or by the contents of another field than that of the path."""
    words = {*snake_case(binding.entity.name).split("_"), *snake_case(path).replace(".", "_").split("_")[:-1]}
    return not words.isdisjoint(_PEOPLE) or any(
        is_personal_path(binding, other) or _tells_of_person(other, attribute)
        for other, attribute in fields(binding.entity.attributes)
        if other != path
    )


def _tells_of_person(path: str, attribute: Attribute) -> bool:
    """Whether a field is personal by its name and type; things have a name, a telephone and a first day too."""
    is_name = is_name_of_person(path, attribute) and path.rpartition(".")[2] != "name"
    return is_name or personal_content(path, attribute) not in (None, "a telephone number", "a date of birth")


def secret_content(entity: str, path: str, attribute: Attribute) -> str | None:
    """Secret in a field by its name and type, or by its pattern, such as "a password"; None if nothing tells.

    entity: name of its entity.
    """
    scalar = element(attribute.type)
    if isinstance(scalar, Scalar) and scalar.kind == "string" and _CARD_NUMBER.fullmatch(scalar.pattern or ""):
        return "a card number"
    content = _content(path, attribute, _SECRETS)
    scalar = element(attribute.type)
    if content is None and isinstance(scalar, Scalar) and _ENTERED.search(attribute.name) and _is_entered(scalar):
        content = "a password"
    return None if content == "a card number" and _OTHER_CARDS.search(entity) else content


def _content(path: str, attribute: Attribute, contents: tuple[tuple[str, re.Pattern[str], str], ...]) -> str | None:
    scalar = element(attribute.type)
    if not isinstance(scalar, Scalar) or scalar.constants or scalar.facts.reference or _is_masked(attribute, scalar):
        return None
    for noun, name, kinds in contents:
        if _is_short(scalar, _LEAST.get(noun, 0)):
            continue
        if scalar.kind in kinds.split() and any(map(name.search, _names(path))):
            return noun
    by_form = form(scalar) or _by_length(_names(path), scalar)
    return by_form if by_form in {noun for noun, _, _ in contents} else None


def _is_short(scalar: Scalar, least: int) -> bool:
    """Whether every value has fewer characters or digits."""
    digits = len(str(int(scalar.maximum))) if scalar.maximum is not None else None
    longest = scalar.max_length if scalar.kind == "string" else digits
    return longest is not None and longest < least


def _by_length(names: tuple[str, str], scalar: Scalar) -> str | None:
    """Content of a text that is named after a card or a telephone and has the length of its number."""
    length = scalar.max_length or 0
    if scalar.kind != "string" or scalar.pattern is not None:
        return None
    if length in _CARD_LENGTHS and any(map(_CARD.search, names)):
        return "a card number"
    return "a telephone number" if length in _TELEPHONE_LENGTHS and any(map(_TELEPHONE.search, names)) else None


def _is_entered(scalar: Scalar) -> bool:
    """Whether a text has the bounds of a password: a few characters at least, and as many as a hash function takes."""
    least, most = scalar.min_length or 0, scalar.max_length or 0
    return scalar.kind == "string" and scalar.pattern is None and _SHORTEST <= least < _DIGEST <= most <= _LONGEST


def _names(path: str) -> tuple[str, str]:
    """The name of a field, and the name together with that of the embedded model's field, in snake case."""
    *_, outer, name = ("", *map(snake_case, path.split(".")))
    return name, f"{outer}_{name}" if outer else name


def _is_masked(attribute: Attribute, scalar: Scalar) -> bool:
    """Whether the values are hashes, tokens or last digits."""
    length = scalar.max_length
    is_short = length is not None and length < _LEAST_LENGTH
    is_digest = length is not None and length == scalar.min_length and length >= _DIGEST
    is_named = _MASKED.search(snake_case(attribute.name))
    return is_short or is_digest or bool(is_named or _HASHES.match(scalar.pattern or ""))


_DIGITS = re.compile(r"\^(?:\[0-9\]|\\d)(?:\{\d+(?:,\d+)?\})\$")
"""Patterns of numbers without a meaning of their own."""


_THINGS = ("record", "stock")
"""Kinds of entities that are not about an action of somebody."""


def is_number_of_thing(binding: Binding, path: str) -> bool:
    """Whether a key of digits is the number of a thing that exists without a person, such as a telephone line.

    Its item has contents, of which none is personal, and refers to nobody, or to somebody at times.
    """
    if binding.spec.kind not in _THINGS:
        return False
    attribute = (resolve(binding.entity.attributes, path) or (None,))[-1]
    scalar = element(attribute.type) if attribute else None
    if not isinstance(scalar, Scalar) or not _DIGITS.fullmatch(scalar.pattern or ""):
        return False
    others = [other for other in binding.entity.attributes if other.name != path.partition(".")[0]]
    kinds = [(other, element(other.type)) for other in others]
    is_of_somebody = any(
        kind.facts.reference for other, kind in kinds if isinstance(kind, Scalar) and not other.is_nullable
    )
    is_personal = any(is_personal_path(binding, other.name) or personal_content(other.name, other) for other in others)
    return bool(others) and not is_of_somebody and not is_personal


def is_pseudonym(binding: Binding, path: str) -> bool:
    """Whether a field contains an id or a hash, which identify nobody without other data."""
    attribute = (resolve(binding.entity.attributes, path) or (None,))[-1]
    scalar = element(attribute.type) if attribute else None
    if attribute is None or not isinstance(scalar, Scalar) or _content(path, attribute, _PERSONAL):
        return False
    is_id = attribute.name.endswith("_id") or bool(_DEVICE.search(attribute.name))
    return scalar.kind == "uuid" or is_id or _is_masked(attribute, scalar)


def is_network_address(binding: Binding, path: str) -> bool:
    """Whether a field is the address of a device in a network, by its name or the bound of such texts."""
    attribute = (resolve(binding.entity.attributes, path) or (None,))[-1]
    scalar = element(attribute.type) if attribute else None
    if attribute is None or not isinstance(scalar, Scalar) or scalar.kind != "string":
        return False
    has_bound = scalar.pattern is None and scalar.max_length in _NETWORK_LENGTHS
    is_address = "address" in attribute.name and has_bound and not _content(path, attribute, _PERSONAL)
    return is_address or bool(_NETWORK.search(snake_case(attribute.name)))


def is_pointer(binding: Binding, path: str) -> bool:
    """Whether an item contains nothing but a link from the field in its key to one record."""
    others = [other for other in binding.entity.attributes if other.name != path.partition(".")[0]]
    kinds = [other.type for other in others]
    scalars = [kind for kind in kinds if isinstance(kind, Scalar)]
    is_link = all(kind.facts.reference or kind.kind in _POINTERS.split() or kind.constants for kind in scalars)
    links = [kind for kind in scalars if kind.facts.reference or kind.kind == "uuid"]
    return len(links) == 1 and is_link and len(scalars) == len(kinds)


def has_hash_in_key(binding: Binding) -> bool:
    """Whether items are found by the hash of a value that is no secret."""
    fields = (resolve(binding.entity.attributes, path) for path in key_fields(binding))
    parts = ((attributes[-1], element(attributes[-1].type)) for attributes in fields if attributes)
    is_secret = binding.spec.kind in ("session", "token")
    return not is_secret and any(isinstance(kind, Scalar) and _is_masked(part, kind) for part, kind in parts)


def is_generated(binding: Binding, path: str) -> bool:
    """Whether a field contains a hash or a text that a program generates, and refers to nothing declared."""
    attribute = (resolve(binding.entity.attributes, path) or (None,))[-1]
    scalar = element(attribute.type) if attribute else None
    if attribute is None or not isinstance(scalar, Scalar) or scalar.facts.reference:
        return False
    if scalar.kind != "string":
        return scalar.kind == "uuid"
    is_bounded = scalar.pattern is not None or scalar.max_length is not None
    return _is_masked(attribute, scalar) or (is_bounded and is_generated_text(scalar))


def key_fields(binding: Binding) -> Iterator[str]:
    """Paths of the fields in the key of an item, computed fields included."""
    for argument in KEYS:
        if template := binding.templates.get(argument):
            yield from (placeholder.path for placeholder in template.placeholders if placeholder.path)
    for option in ("partition", "clustering"):
        names = getattr(binding.spec, option, ())
        yield from (name.removeprefix("-") for name in ([names] if isinstance(names, str) else names))


def personal_fields(binding: Binding) -> list[str]:
    """Paths of the fields that are marked as personal, those of embedded models included; the innermost only."""
    return [
        path
        for path, attribute in fields(binding.entity.attributes)
        if attribute.type.facts.is_personal or element(attribute.type).facts.is_personal
    ]


def personal_contents(binding: Binding) -> list[str]:
    """Paths of single values that are marked as personal, alone or with their model, or are so by name or pattern."""
    return [
        path
        for path, attribute in fields(binding.entity.attributes)
        if isinstance(element(attribute.type), Scalar)
        and (is_personal_path(binding, path) or personal_content(path, attribute))
        and not is_pseudonym(binding, path)
    ]
