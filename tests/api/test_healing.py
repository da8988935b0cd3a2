"""Each index of the worked example is removed once: broken patterns are reported, and the proposed line fixes them."""

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.projects import imported_alone

from keywright import api
from keywright.access.path import AccessPath
from keywright.api.check.edits import Insertion, applied
from keywright.api.check.matrix import lines
from keywright.record import Record
from keywright.report.matrix import MatrixRow

ROOT = Path(__file__).parents[2]


class Index(Record):
    """An element of a list of indexes in a model file."""

    file: str
    text: str
    start: tuple[int, int]
    end: tuple[int, int]

    def __str__(self) -> str:
        return f"{Path(self.file).stem}: {self.text}"


def indexes() -> list[Index]:
    """Every secondary index that the worked example declares, and every key that puts an entity into a shared one."""
    return [index for file in sorted((ROOT / "models").glob("*.py")) for index in indexes_of(file)]


def indexes_of(file: Path) -> Iterator[Index]:
    source = file.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.keyword) and node.arg in ("indexes", "gsis", "lsis", "views"):
            assert isinstance(node.value, ast.List)
            for element in node.value.elts:
                text = ast.get_source_segment(source, element) or ""
                if not (isinstance(element, ast.Name) and f"{text}.key(" in source):
                    start, end = (
                        (element.lineno, element.col_offset),
                        (element.end_lineno or 0, element.end_col_offset or 0),
                    )
                    yield Index(file.name, " ".join(text.split()), start, end)


def without(source: str, index: Index) -> str:
    """A file's text without an element of a list, and without its comma."""
    rows = source.split("\n")
    before = "\n".join([*rows[: index.start[0] - 1], rows[index.start[0] - 1].encode()[: index.start[1]].decode()])
    after = "\n".join([rows[index.end[0] - 1].encode()[index.end[1] :].decode(), *rows[index.end[0] :]])
    return before + (after.lstrip().removeprefix(",") if after.lstrip().startswith(",") else after)


def taken_away(source: str, index: Index) -> str:
    """A file's text without an index; one that is left without any entity leaves its table too, as it must."""
    rest = without(source, index)
    name = index.text.partition(".key(")[0]
    if name == index.text or f"{name}.key(" in rest:
        return rest
    lists = (node.value for node in ast.walk(ast.parse(rest)) if isinstance(node, ast.keyword) and node.arg == "gsis")
    element = next(elt for node in lists if isinstance(node, ast.List) for elt in node.elts if is_named(elt, name))
    start, end = (element.lineno, element.col_offset), (element.end_lineno or 0, element.end_col_offset or 0)
    return without(rest, Index(index.file, name, start, end))


def is_named(element: ast.expr, name: str) -> bool:
    return isinstance(element, ast.Name) and element.id == name


def matrix(folder: Path) -> dict[str, MatrixRow]:
    with imported_alone(folder):
        plan = api.plan_access(api.compile(api.load(str(folder))))
        return {line.pattern.name: line for line in lines(plan)}


@pytest.fixture(scope="module")
def whole() -> dict[str, MatrixRow]:
    return matrix(ROOT)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in ("models", "stacks"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "pyproject.toml").write_text('[tool.keywright]\nmodels = ["models"]\n')
    return tmp_path


@pytest.mark.parametrize("index", indexes(), ids=str)
def test_what_an_index_served_is_told_and_healed_by_the_told_line(
    copy: Path, whole: dict[str, MatrixRow], index: Index
) -> None:
    file = copy / "models" / index.file
    file.write_text(taken_away(file.read_text(encoding="utf-8"), index), encoding="utf-8")
    broken = matrix(copy)
    lost = [name for name, line in broken.items() if not line.is_served]
    for name in lost:
        paste = broken[name].paste
        assert paste is not None, f"{name}: {broken[name].path}"
        assert isinstance(paste.edit, dict), f"{name}: {paste.text}"
    # Nothing else changes: all lost patterns, and those with another path, were served by the same index.
    changed = [name for name, line in whole.items() if is_read(line) and by(line) != by(broken[name])]
    assert len({by(whole[name]) for name in changed}) <= 1
    assert set(lost) <= {name for name, line in whole.items() if name in changed or not is_read(line)}
    heal(copy, broken, lost)
    assert [name for name, line in matrix(copy).items() if not line.is_served] == []


def is_read(line: MatrixRow) -> bool:
    return line.pattern.kind in ("get", "read", "count", "rank", "aggregate")


def by(line: MatrixRow) -> str:
    """The access path of a pattern; empty if it is not served."""
    return str(line.path.by) if isinstance(line.path, AccessPath) else ""


def heal(folder: Path, broken: dict[str, MatrixRow], lost: list[str]) -> None:
    """Paste the proposed lines of all unserved patterns, each once, and plan again after each."""
    for _ in lost:
        unserved = next((line for line in matrix(folder).values() if not line.is_served), None)
        if unserved is None:
            return
        assert unserved.paste is not None
        edit = unserved.paste.edit
        assert isinstance(edit, dict)
        file = Path(str(edit["file"]))
        insertion = Insertion(str(file), int(str(edit["line"])), int(str(edit["column"])), str(edit["insert"]))
        file.write_text(applied(file.read_text(encoding="utf-8"), insertion), encoding="utf-8")
