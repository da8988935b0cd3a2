"""Resources of a stack, by the mode and the position of its environment."""

from pathlib import Path

import pytest
from tests.projects import a_project, imported_alone, with_imports

from keywright.api.live.connect import StoreSelector
from keywright.api.stack.desired import Stack, index_orders, stack_of
from keywright.cli.main import run
from keywright.errors import UsageError
from keywright.project.migrations.folder import read_folder
from keywright.project.settings import read_settings

ROOT = Path(__file__).parents[2]

GATED = """
config:
  keywright:environment:
    mode: gated
    dynamodb: {flavour: dynamodb, name-prefix: "p-"}
"""

MODELS = """
    one = kw.Gsi("one", pk="buyer")
    shop = kw.DynamoTable("shop", gsis=[one])

    class Order(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")
        order_id: str
        buyer: str
"""


def a_stack(root: Path, position: str | None = None, environment: str = "prod") -> Stack:
    with imported_alone(root):
        return stack_of(StoreSelector(read_settings(root), environment, is_local=False), position)


def indexes(stack: Stack) -> list[list[str]]:
    return [[index.name for index in target.placed.indexes] for target in stack.targets]  # type: ignore[attr-defined]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two migrations, of which the second adds an index whose name sorts first."""
    folder = tmp_path / "shop"
    a_project(folder, {"stacks/Pulumi.prod.yaml": GATED, "models/shop.py": with_imports(MODELS)})
    monkeypatch.chdir(folder)
    with imported_alone(folder):
        assert run(["migrate", "diff", "-m", "first"]) == 0
    other = '    also = kw.Gsi("also", pk="buyer", project="keys")'
    more = MODELS.replace("    one = ", f"{other}\n    one = ").replace("[one]", "[one, also]")
    (folder / "models" / "shop.py").write_text(with_imports(more))
    with imported_alone(folder):
        assert run(["migrate", "diff", "-m", "second"]) == 0
    return folder


def test_a_gated_stack_has_what_its_position_says(root: Path) -> None:
    first = a_stack(root, "0001")
    assert (indexes(first), first.pending) == ([["one"]], ("0002_second",))
    assert [target.placed.name for target in first.targets] == ["p-shop"]
    assert indexes(a_stack(root, "0002/10")) == [["one"]], "its index is only looked at by then"
    assert indexes(a_stack(root, "0002/20")) == [["also", "one"]]
    assert indexes(a_stack(root, "0002/0")) == [["one"]], "before its first step"
    last = a_stack(root, "0002/end")
    assert (indexes(last), last.pending, last.is_assumed) == ([["also", "one"]], (), False)


def test_a_table_that_is_to_go_loses_its_protection_first(root: Path) -> None:
    def protected(position: str) -> list[bool]:
        return [target.placed.placement.is_protected for target in a_stack(root, position).targets]  # type: ignore[attr-defined]

    assert (protected("0001"), protected("0001/10~p-shop"), protected("0001/10~other")) == ([True], [False], [True])


@pytest.mark.parametrize(("position", "why"), [("abc", 'no migration "abc"'), ("0002/15", 'no step "0002/15"')])
def test_a_position_that_is_none_says_where_it_was_said(root: Path, position: str, why: str) -> None:
    with pytest.raises(UsageError, match=f'KEYWRIGHT_POSITION is "{position}": there is {why}'):
        a_stack(root, position)


def test_a_position_may_be_assumed_where_nobody_can_be_asked(root: Path) -> None:
    stack = root / "stacks" / "Pulumi.prod.yaml"
    stack.write_text(stack.read_text().replace("mode: gated", 'mode: gated\n    position: "0001"'))
    stack = a_stack(root)
    assert (indexes(stack), stack.is_assumed) == ([["one"]], True)


def test_a_gated_stack_never_follows_models_that_no_version_has(root: Path) -> None:
    file = root / "models" / "shop.py"
    file.write_text(file.read_text().replace("buyer: str", "buyer: str\n    note: str | None = None"))
    with pytest.raises(UsageError, match='"prod" is gated, and its migrations lack 1 change of the models'):
        a_stack(root, "0002")
    assert indexes(a_stack(root, environment="dev")) == [["also", "one"]], "development does"


def test_the_order_of_indexes_is_that_of_the_versions_that_made_them(root: Path) -> None:
    assert index_orders(read_folder(read_settings(root)).migrations) == {"shop": ("one", "also")}
    example = index_orders(read_folder(read_settings(ROOT)).migrations)
    assert example["shop"] == ("by_category", "lookup", "by_day", "open_orders")
