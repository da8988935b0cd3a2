"""The validation of collections: that of most of them is the default of their database."""

from collections import Counter
from typing import Any

from keywright.errors import gathering
from keywright.ir.binding import Binding, Physical
from keywright.record import replace

from ..declare.options import AnyCollection, Collection, MongoDatabase, Validation
from .collections import options_of

_DEFAULT: Validation = "strict"

Bindings = tuple[Binding[AnyCollection], ...]


def with_default(physical: Physical[MongoDatabase], bindings: Bindings) -> tuple[Physical[MongoDatabase], Bindings]:
    """The database with the validation of most of its collections, and these without it."""
    words = Counter(binding.spec.treatment for binding in bindings if isinstance(binding.spec, Collection))
    word = max(words, key=lambda word: (words[word], word == _DEFAULT), default=_DEFAULT)
    is_shared = word != _DEFAULT and words[word] > 1
    database = MongoDatabase(physical.name, validation=word) if is_shared else physical.spec
    owner = replace(physical, spec=database)
    return owner, tuple(replace(_in(binding, database), physical=owner) for binding in bindings)


def within(binding: Binding[Any], database: Any) -> Binding[Any]:
    """See `Adoption.within`: a collection of a database with another default declares its validation."""
    spec = binding.spec
    if not isinstance(spec, Collection) or spec.validation or spec.treatment == database.validation:
        return binding
    return _declared(binding, spec.database, {"validation": spec.treatment})


def _in(binding: Binding[AnyCollection], database: MongoDatabase) -> Binding[AnyCollection]:
    spec = binding.spec
    own = spec.treatment if isinstance(spec, Collection) and spec.treatment != database.validation else None
    return _declared(binding, database, {"validation": own} if own else {})


def _declared(
    binding: Binding[AnyCollection], database: MongoDatabase, validation: dict[str, Any]
) -> Binding[AnyCollection]:
    options = {name: value for name, value in options_of(binding).items() if name != "validation"}
    with gathering():
        spec: Any = type(binding.spec)(database, binding.spec.name, **options, **validation)
    return replace(binding, spec=spec, templates=spec.templates)
