"""GEN037: a field that looks personal is not marked."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.fix import AddFact, Fix
from keywright.engines.findings.personal import is_name_of_person, is_of_person, key_fields, personal_content
from keywright.engines.findings.shapes import form
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import element
from keywright.ir.personal import is_personal_path

_OF_THINGS_TOO = ("a telephone number", "a date of birth")
"""Contents that places and animals have too."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report fields with the name and type of an e-mail or postal address, telephone, birth date or document number.

    The name of a person is reported in a key only. A telephone may be that of a place, and animals are born too: such a
    field is reported if the entity tells something else of a person.
    """
    for binding in context.design.bindings:
        keys = set(key_fields(binding))
        for path, attribute in fields(binding.entity.attributes):
            content = personal_content(path, attribute)
            if content is None and path in keys and is_name_of_person(path, attribute):
                content = "the name of a person"
            if content is None or is_personal_path(binding, path):
                continue
            if content in _OF_THINGS_TOO and path not in keys and not is_of_person(binding, path):
                continue
            in_key, evidence = path in keys, _evidence(attribute, content)
            yield FindingDraft(
                problem=f'"{path}" contains {content} by its {evidence}, and is not marked with kw.Pii(): errors, '
                f"proofs and reports show its values{', and so does the key' if in_key else ''}",
                help="use a keyed hash in the key, and mark the plain field" if in_key else "mark it with kw.Pii()",
                subject=binding.name,
                field=path.partition(".")[0],
                fix=None if in_key or "." in path else Fix((AddFact("kw.Pii()"),), is_safe=True),
            )


def _evidence(attribute: Attribute, content: str) -> str:
    scalar = element(attribute.type)
    return "pattern" if isinstance(scalar, Scalar) and form(scalar) == content else "name"
