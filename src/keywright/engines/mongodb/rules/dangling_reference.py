"""MDB008: a field holds another entity's key, and nothing says what it means when that one is gone.

https://www.mongodb.com/docs/manual/reference/database-references/ (2026-11-22): the server checks no reference.
"""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole, fields
from keywright.engines.flaws.fix import AddFact, Fix
from keywright.engines.flaws.observation import Seen
from keywright.engines.mongodb.fields import id_attribute
from keywright.ir.attribute import Attribute, Many, Scalar
from keywright.ir.binding import Binding


def models(whole: Whole) -> Iterator[Flaw]:
    """Every field without `Ref` that is called as the `_id` of one other entity of its database."""
    for physical in whole.design.physicals:
        bindings = whole.design.bindings_in(physical) if physical.engine == "mongodb" else ()
        keys = _keys(bindings)
        for binding in bindings:
            yield from _dangling(binding, keys)


def _dangling(binding: Binding, keys: dict[str, Binding]) -> Iterator[Flaw]:
    for path, attribute in fields(binding.entity.attributes):
        owner = keys.get(attribute.name) or keys.get(attribute.name.removesuffix("s"))
        kind = _single(attribute)
        if owner is None or owner is binding or kind is None:
            continue
        if attribute is id_attribute(binding) or attribute.copied_from is not None:
            continue
        key = id_attribute(owner)
        if kind.facts.reference is None and key is not None and kind.kind == getattr(key.type, "kind", ""):
            yield Flaw(
                problem=f'"{path}" is the key of {owner.entity.name} by its name, and no Ref says what it means '
                "when that one is gone",
                help=f'say Ref({owner.entity.name}, on_missing="ignore"), "hide" or "fail" in its Annotated',
                subject=binding.name,
                field=path.partition(".")[0],
                fix=_fix(binding, owner) if path == attribute.name and isinstance(attribute.type, Scalar) else None,
            )


def _fix(binding: Binding, owner: Binding) -> Fix:
    """The fact that says what readers do as things are: they show the key."""
    is_above = owner.at.file == binding.at.file and owner.at.line < binding.at.line
    name = owner.entity.name if is_above else f'"{owner.entity.name}"'
    return Fix((AddFact(f'kw.Ref({name}, on_missing="ignore")'),), is_safe=True)


def _keys(bindings: tuple[Binding, ...]) -> dict[str, Binding]:
    """The entities of a database by the names of their `_id` fields, where one alone has it."""
    found: dict[str, list[Binding]] = {}
    for one in bindings:
        key = id_attribute(one)
        if key is not None and key.name.endswith("_id"):
            found.setdefault(key.name, []).append(one)
    return {name: owners[0] for name, owners in found.items() if len(owners) == 1}


def _single(attribute: Attribute) -> Scalar | None:
    """The value of a field, or of each element."""
    kind = attribute.type.element if isinstance(attribute.type, Many) else attribute.type
    return kind if isinstance(kind, Scalar) else None


def live(seen: Seen) -> Iterator[Flaw]:
    """Every reference that leads nowhere in some sampled document, where readers fail then."""
    for binding, items in seen.items():
        for path, attribute in fields(binding.entity.attributes):
            missing, looked = items.orphans.get(path, (0, 0))
            kind = _single(attribute)
            reference = kind.facts.reference if kind else None
            if missing and reference is not None and reference.on_missing == "fail":
                yield Flaw(
                    problem=f'"{path}" leads nowhere for {missing:,} of {looked:,} values looked up, {items.sample}, '
                    'and its Ref says on_missing="fail"',
                    help=f"restore what is gone of {reference.entity}, or have readers pass over it: "
                    'on_missing="ignore" or "hide"',
                    subject=binding.name,
                    field=path.partition(".")[0],
                )
