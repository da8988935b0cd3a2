"""Model files written from public designs, and what the planner says of their patterns in one line each."""

from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from tests.projects import a_project, imported_alone, with_imports

from keywright import api
from keywright.access.path import NotServed
from keywright.compiler.plan import PlannedPattern
from keywright.compiler.project import Compiled
from keywright.record import Record

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"
NEEDED = pytest.mark.skipif(not CORPORA.is_dir(), reason="the corpora of public designs are not here")


class Entity(Record):
    """One class of a model file."""

    name: str
    store: str
    """The expression of its `__store__`."""
    fields: Mapping[str, str]
    """Annotation, with its default, by field."""

    def __str__(self) -> str:
        lines = [f"class {self.name}(BaseModel):", f"    __store__: ClassVar = {self.store}", ""]
        return "\n".join([*lines, *(f"    {name}: {kind}" for name, kind in self.fields.items())])


class Asking(Record):
    """One pattern of a model file."""

    name: str
    kind: str
    """The declaration, such as `Read`."""
    entity: str
    options: Mapping[str, object]
    """Its arguments; what is None or empty is left out."""
    authors: str = ""
    """What serves it according to those who made the design, in the words of `verdict`; empty where they do not say."""

    def __str__(self) -> str:
        said = (f"{name}={value!r}" for name, value in self.options.items() if value not in (None, (), [], {}, ""))
        return f"{self.name} = kw.{self.kind}({', '.join([self.entity, *said])})"


class Design(Record):
    """A public design as a model file."""

    top: tuple[str, ...]
    """Tables and indexes, a line each."""
    entities: tuple[Entity, ...]
    asked: tuple[Asking, ...]
    more: tuple[str, ...] = ()
    """Declarations of further patterns."""

    def __str__(self) -> str:
        return with_imports(
            "\n".join(self.top), *map(str, self.entities), "\n".join([*map(str, self.asked), *self.more])
        )


def verdicts(folder: Path, design: Design | str) -> dict[str, str]:
    """What the planner says of each pattern, by its name."""
    return {row.pattern.name: verdict(row) for row in api.plan_access(compiled_of(folder, design)).rows}


def compiled_of(folder: Path, design: Design | str) -> Compiled:
    """A design, or a model file, as placed targets."""
    with imported_alone(folder):
        return api.compile(api.load(str(a_project(folder, str(design)).root)))


def verdict(row: PlannedPattern) -> str:
    """What serves a pattern: by what, in how many partitions, and what else the server has to do for it."""
    path = row.planned.path
    if isinstance(path, NotServed):
        return "not served"
    result = [str(path.by)]
    if path.fan_out > 1:
        result.append(f"x{path.fan_out}")
    if getattr(path.call, "fetches", False):
        result.append("fetched")
    if path.residual:
        result.append(f"judged by {' and '.join(condition.field for condition in path.residual)}")
    return ", ".join(result)


class Expected(Record):
    """A line of a table of verdicts."""

    verdict: str
    because: str = ""
    """Why it is right, where it surprises: always where the authors say something else."""
    dated: str = ""
    """The verdict where moments are no texts, if it is another one."""


def table(name: str) -> dict[str, dict[str, Expected]]:
    """The verdicts of a table beside the tests, by design and pattern."""
    read = yaml.safe_load((Path(__file__).parent / f"{name}.yaml").read_text(encoding="utf-8"))
    return {
        design: {name: Expected(**line) if isinstance(line, dict) else Expected(line) for name, line in lines.items()}
        for design, lines in read.items()
    }


def unexplained(expected: Mapping[str, Expected], design: Design) -> list[str]:
    """Patterns of which the table says something else than the authors, and not why."""
    said = {asking.name: asking.authors for asking in design.asked if asking.authors}
    return [
        name for name, line in expected.items() if not line.because and said.get(name, line.verdict) != line.verdict
    ]
