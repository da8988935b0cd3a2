"""From declarations to boxes in an environment."""

import json
import re
from collections.abc import Iterator
from typing import Any

from keywright.engines.contract.pages import Work
from keywright.engines.contract.resource import StackResource
from keywright.engines.contract.shape import EntityShape, FieldShape
from keywright.engines.interface import Artefact, Description, Rejection
from keywright.ir.attribute import Scalar, Type
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import element
from keywright.record import replace

from .declare import Box, Boxed, ToyEnvironment
from .target import BoxTarget, parse

STORE = "toy"
"""All boxes are in one store: the file."""

_GENERATION = re.compile(r"-k(\d+)$")
"""Suffix of a physical name from the second generation on."""


def check(design: Design[Box, Boxed]) -> Iterator[Rejection]:
    """See `Engine.check`: one model in a box, and no bytes, which JSON cannot contain."""
    for physical in design.physicals:
        for other in design.bindings_in(physical)[1:]:
            problem = f'box "{physical.name}" already contains another model'
            yield Rejection("E0503", problem, "give each model a box of its own", other.name)
    for binding in design.bindings:
        for attribute in binding.entity.attributes:
            if _kind(attribute.type) == "bytes":
                problem = f'"{attribute.name}" is bytes, and a box contains JSON'
                yield Rejection("E0205", problem, "store it as text", binding.name, field=attribute.name)


def _kind(type: Type) -> str:
    """The type of a stored value, or of its elements."""
    inner = element(type)
    return inner.kind if isinstance(inner, Scalar) else "object"


def lower(design: Design[Box, Boxed]) -> tuple[BoxTarget, ...]:
    """See `Engine.lower`."""
    return tuple(_box(physical.spec, tuple(map(_shape, design.bindings_in(physical)))) for physical in design.physicals)


def _box(spec: Box, shape: tuple[EntityShape, ...]) -> BoxTarget:
    return BoxTarget(spec.name, spec.generation, spec.capacity, shape)


def _shape(binding: Binding[Boxed]) -> EntityShape:
    fields = tuple(
        FieldShape(attribute.name, attribute.stored, _kind(attribute.type), attribute.is_required)
        for attribute in binding.entity.attributes
    )
    keys = tuple((argument, template.text) for argument, template in binding.templates.items())
    return EntityShape(binding.name, keys, fields, binding.spec.schema_version)


def place(box: BoxTarget, environment: ToyEnvironment) -> BoxTarget:
    """See `Engine.place`."""
    suffix = f"-k{box.generation}" if box.generation > 1 else ""
    return replace(box, name=f"{environment.box_prefix}{box.name}{suffix}")


def unplace(box: BoxTarget, environment: ToyEnvironment) -> BoxTarget:
    """See `Engine.unplace`."""
    suffix = _GENERATION.search(box.name)
    name = _GENERATION.sub("", box.name).removeprefix(environment.box_prefix)
    return replace(box, name=name, generation=int(suffix[1]) if suffix else 1)


def apart(environment: ToyEnvironment, prefix: str) -> ToyEnvironment:
    """See `Engine.apart`."""
    return replace(environment, box_prefix=prefix)


def localise(environment: ToyEnvironment | None, version: str) -> ToyEnvironment:
    """See `Engine.localise`."""
    return environment or ToyEnvironment(flavour="toy")


def refuse(box: BoxTarget, environment: ToyEnvironment) -> Iterator[Rejection]:
    """See `Engine.refuse`: every file can contain every box."""
    yield from ()


def managed(live: BoxTarget, box: BoxTarget) -> BoxTarget:
    """See `Engine.managed`: a box has no undeclared parts."""
    return replace(live, generation=box.generation)


def is_untouched(box: BoxTarget, live: Description | None) -> bool:
    """See `Engine.is_untouched`."""
    return live is None


def home(environment: ToyEnvironment, store: str) -> str:
    """See `Engine.home`: the name of the history in the file."""
    return f"{environment.box_prefix}history"


def object_of(box: BoxTarget, binding: Binding) -> str:
    """See `Engine.object_of`."""
    return box.name


def keep(design: Design[Box, Boxed], before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """See `Engine.keep`: each generation is a separate box, and remains until a model drops it."""
    boxes = dict(after)
    for spec in (physical.spec for physical in design.physicals):
        if spec.rebuild and not spec.rebuild.drops_old:
            former = spec.rebuild.from_generation
            key = f"{spec.name}-k{former}" if former > 1 else spec.name
            boxes |= {key: before[key]} if key in before else {}
    return boxes


def work(box: BoxTarget, entity: str) -> Work:
    """See `Engine.work`: the items of the only model."""
    shape = next(shape for shape in box.shape if shape.name == entity)
    types = {field.stored: field.type for field in shape.fields}
    return Work(object=box.name, reads=(), writes=(), types=types, keys=shape.keys)


def render(declared: BoxTarget, placed: BoxTarget, environment: ToyEnvironment) -> tuple[Artefact, ...]:
    """See `Engine.render`: the box in the form of the file."""
    text = json.dumps({placed.name: {**placed.settings, "items": {}}}, indent=2)
    return (Artefact(f"toy/{declared.name}.json", text + "\n"),)


def to_resources(declared: str, box: BoxTarget) -> tuple[StackResource, ...]:
    """See `Engine.to_resources`."""
    inputs: Any = {"name": box.name, "settings": box.settings}
    return (StackResource("keywright:toy:Box", declared, box.name, inputs),)


def from_resources(resources: Any) -> BoxTarget:
    """See `Engine.from_resources`."""
    (resource,) = resources
    native: Any = {"settings": resource.inputs["settings"]}
    return parse({"name": resource.inputs["name"], "generation": 1, "native": native})
