"""The text of a model file: imports, tables or databases, embedded models, entities, access patterns."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from keywright.ir.attribute import Attribute, Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import parts
from keywright.record import Record, field

from ..source import INDENT
from .annotations import TIMES, aliased, annotation, default
from .expression import Bracketed, Expression, flat, laid_out
from .patterns import statement
from .values import declaration
from .variables import ImportedName, Variables

_MODULES = {
    "AwareDatetime": "pydantic", "NaiveDatetime": "pydantic", "BaseModel": "pydantic", "ConfigDict": "pydantic",
    "Field": "pydantic", "Annotated": "typing", "Any": "typing", "ClassVar": "typing", "Literal": "typing",
    "Decimal": "decimal", "UUID": "uuid", "date": "datetime", "datetime": "datetime", "time": "datetime",
    "UTC": "datetime", "timedelta": "datetime",
}  # fmt: skip
"""Modules of the names in a model file, besides `kw`."""

_NAME = re.compile(r"(?<![\w.])[A-Za-z]\w*(?!\w|=|: )")
_TEXT = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
_COMMENT = re.compile(r"#.*")
_CLOSED = 'model_config = ConfigDict(extra="forbid")'


class ModelFile(Record):
    """The contents of a model file."""

    doc: str
    """Its docstring."""
    design: Design[Any, Any]
    """Its declarations."""
    comments: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Comments on fields, by (class, field)."""
    notes: tuple[str, ...] = ()
    """Comments at its end."""
    imported: tuple[ImportedName, ...] = ()
    """Declarations of other files."""
    width: int = 88
    """Maximum characters of a line."""

    @property
    def hides_times(self) -> bool:
        """Whether a field has the name of a type of `datetime`, and would hide it in the fields below."""
        embedded = (struct.attributes for struct in _embedded(self.design.bindings))
        models = (*(binding.entity.attributes for binding in self.design.bindings), *embedded)
        return any(attribute.name in TIMES for attributes in models for attribute in attributes)


def source_of(file: ModelFile) -> str:
    """The source code of a model file."""
    variables = Variables(file.design, file.imported)
    structs = {struct.name: struct for struct in _embedded(file.design.bindings)}
    blocks = ["\n\n".join(_shared(file, variables))]
    blocks += (_class(file, struct.name, struct.attributes, struct.is_closed) for struct in structs.values())
    for binding in file.design.bindings:
        blocks += (_entity(file, binding, variables), "\n".join(_patterns(file, binding, variables)))
    body = "\n\n\n".join(filter(None, blocks))
    notes = "".join(f"# {note}\n" for note in file.notes)
    ending = f"\n\n{notes}" if notes else ""
    sections = (f'"""{_doc(file.doc)}"""', _imports(body, file.imported), f"{body}\n{ending}")
    return "\n\n".join(filter(None, sections))


def _shared(file: ModelFile, variables: Variables) -> Iterator[str]:
    """Declarations with variables, each after those that it refers to."""
    for declared, variable in variables.in_order:
        expression = declaration(declared, lambda inner, outer=declared: variables.name(inner, outer))  # type: ignore[misc]
        yield laid_out(f"{variable} = ", expression, "", file.width)


def _entity(file: ModelFile, binding: Binding[Any], variables: Variables) -> str:
    store = declaration(binding.spec, variables.name)
    first = laid_out("__store__: ClassVar = ", store, "", file.width, INDENT)
    entity = binding.entity
    return _class(file, entity.name, entity.attributes, entity.is_closed, first, entity.doc)


def _patterns(file: ModelFile, binding: Binding[Any], variables: Variables) -> Iterator[str]:
    """The access patterns of an entity, each in a variable."""
    for pattern in file.design.patterns:
        if pattern.binding == binding.name:
            comment = file.comments.get(("", pattern.name), "")
            variable, group = variables.unique(pattern.name), variables.of_group(binding.spec, pattern)
            yield statement(pattern, variable, binding.entity.name, file.width, comment, group)


def _class(
    file: ModelFile, name: str, attributes: tuple[Attribute, ...], is_closed: bool, first: str = "", doc: str = ""
) -> str:
    heads = [f'{INDENT}"""{_doc(doc)}"""'] if doc else []
    heads += [f"{INDENT}{_CLOSED}"] if is_closed else []
    heads += [first] if first else []
    fields = "\n".join(_field(file, name, attribute) for attribute in attributes)
    body = "\n\n".join(filter(None, (*heads, fields))) or f"{INDENT}pass"
    return f"class {name}(BaseModel):\n{body}"


def _field(file: ModelFile, owner: str, attribute: Attribute) -> str:
    type = annotation(attribute, "dt." if file.hides_times else "")
    if attribute.stored == attribute.name:
        text = _with_default(f"{attribute.name}: ", type, default(attribute), file.width)
    else:
        text = _assigned(f"{attribute.name}: ", type, aliased(attribute), file.width)
    comment = file.comments.get((owner, attribute.name), "")
    if not comment:
        return text
    beside = f"{text}  # {comment}"
    if "\n" not in text and len(beside) <= file.width:
        return beside
    return f"{INDENT}# {comment}\n{text}"


def _with_default(before: str, type: Expression, value: str, width: int) -> str:
    """A field with its default, which a formatter puts into parentheses if only the default makes the line too long."""
    head = f"{INDENT}{before}{flat(type)}"
    if value in (" = set()", " = None") and len(f"{head}{value}") > width >= len(f"{head} = ("):
        return f"{head} = (\n{INDENT}{INDENT}{value.removeprefix(' = ')}\n{INDENT})"
    return laid_out(before, type, value, width, INDENT)


def _assigned(before: str, type: Expression, value: Bracketed, width: int) -> str:
    """A field with a call on its right side, which a formatter breaks before the annotation."""
    head = f"{before}{flat(type)} = "
    if len(f"{INDENT}{head}{value.head}(") <= width:
        return laid_out(head, value, "", width, INDENT)
    return laid_out(before, type, f" = {flat(value)}", width, INDENT)


def _imports(body: str, imported: tuple[ImportedName, ...]) -> str:
    names = set(_NAME.findall(_COMMENT.sub("", _TEXT.sub('""', body))))
    by_module: dict[str, set[str]] = {}
    for name in names & _MODULES.keys():
        by_module.setdefault(_MODULES[name], set()).add(name)

    def lines(modules: Iterable[str]) -> str:
        return "\n".join(
            f"from {module} import {', '.join(sorted(by_module[module], key=_import_order))}" for module in modules
        )

    times = "import datetime as dt" if "dt." in body else ""
    standard = "\n".join(filter(None, (times, lines(sorted(by_module.keys() - {"pydantic"})))))
    pydantic = lines(["pydantic"]) if "pydantic" in by_module else ""
    own = "\n".join(sorted({f"from {name.module} import {name.variable}" for name in imported}))
    return "\n\n".join(filter(None, (standard, pydantic, "import keywright as kw", own)))


def _import_order(name: str) -> tuple[int, str]:
    """Import sorters put constants before classes, and classes before functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def _embedded(bindings: Iterable[Binding[Any]]) -> Iterator[Struct]:
    """Every embedded model, the inner ones first."""
    for binding in bindings:
        for attribute in binding.entity.attributes:
            yield from _structs(attribute.type)


def _structs(type: Type) -> Iterator[Struct]:
    for part in parts(type):
        yield from _structs(part)
    if isinstance(type, Struct):
        yield type


def _doc(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
