"""The registry: where the parts of engines are, and what is wrong with an engine of another package."""

from importlib.metadata import EntryPoint

import pytest

from keywright.engines import registry
from keywright.engines.contract.facts import EngineFacts
from keywright.engines.contract.stack_tables import StackTables
from keywright.engines.findings.catalogue import RuleCatalogue
from keywright.engines.findings.program.target import ProgramTargets
from keywright.engines.interface import Engine
from keywright.engines.registry import NAMES, facts_of, in_order, is_engine, module_of, modules_of, runtime_of
from keywright.errors import UsageError
from keywright.local.recipes.recipe import Recipe
from keywright.runtime.validate.clients import ExpectedClient

PARTS = {
    "engine": ("ENGINE", Engine), "facts": ("FACTS", EngineFacts), "local": ("RECIPE", Recipe),
    "rules": ("CATALOGUE", RuleCatalogue), "program": ("TARGETS", ProgramTargets), "stack": ("STACK", StackTables),
    "migration_rules": ("RULES", tuple),
}  # fmt: skip
"""The name and kind of what a module of each part has."""


def entry_points(monkeypatch: pytest.MonkeyPatch, *values: str) -> None:
    """Installed packages with an engine "toy" at these places."""
    points = tuple(EntryPoint("toy", value, registry.GROUP) for value in values)
    monkeypatch.setattr(registry, "_entry_points", lambda: points)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("part", PARTS)
def test_a_module_of_the_table_has_its_part(name: str, part: str) -> None:
    module, (word, kind) = module_of(name, part), PARTS[part]
    assert module is None or isinstance(getattr(module, word), kind)


@pytest.mark.parametrize("name", NAMES)
def test_an_engine_of_the_table_has_a_driver_and_a_runtime(name: str) -> None:
    driver = module_of(name, "driver")
    assert all(map(callable, (driver.connect, driver.is_ready, driver.version)))
    assert all(map(callable, (runtime_of(name).codec, runtime_of(name, "execute").prepare)))
    assert isinstance(runtime_of(name, "clients").CLIENT, ExpectedClient)
    assert callable(runtime_of(name, "limits").limit_of)


def test_entry_points_are_not_read_for_an_engine_of_this_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_entry_points", lambda: pytest.fail("they were read"))
    for name in NAMES:
        assert is_engine(name)
        assert facts_of(name) is registry.engine_named(name).facts
        assert modules_of.__wrapped__(name) is registry.BUILT_IN[name]


def test_engines_of_this_package_come_first() -> None:
    assert in_order(["zoo", "redis", "ant", "mongodb"]) == ["mongodb", "redis", "ant", "zoo"]


def test_an_unknown_engine_is_told_with_those_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    entry_points(monkeypatch, "toys:MODULES")
    assert not is_engine("toi")
    with pytest.raises(UsageError) as caught:
        modules_of("toi")
    assert caught.value.problem == 'there is no engine "toi"'
    assert caught.value.help.startswith('did you mean "toy"?')


def test_two_packages_with_an_engine_of_one_name_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    entry_points(monkeypatch, "toys:MODULES", "games:MODULES")
    with pytest.raises(UsageError) as caught:
        modules_of("toy")
    assert caught.value.problem == '2 packages have an engine "toy": "games", "toys"'
    assert caught.value.help == "uninstall all but one"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("keywright_absent:MODULES", "ModuleNotFoundError: No module named 'keywright_absent'"),
        ("keywright.errors:MODULES", "AttributeError: module 'keywright.errors' has no attribute 'MODULES'"),
    ],
)
def test_a_package_that_cannot_be_imported_is_named(monkeypatch: pytest.MonkeyPatch, value: str, reason: str) -> None:
    entry_points(monkeypatch, value)
    with pytest.raises(UsageError) as caught:
        modules_of("toy")
    package = value.partition(":")[0]
    assert caught.value.problem == f'engine "toy" of the package "{package}" cannot be imported: {reason}'


def test_an_entry_point_of_another_kind_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    entry_points(monkeypatch, "keywright.engines.redis.engine:ENGINE")
    with pytest.raises(UsageError) as caught:
        modules_of("toy")
    assert caught.value.problem == (
        'engine "toy" of the package "keywright.engines.redis.engine" is "keywright.engines.redis.engine:ENGINE", '
        "a Engine, but must be an EngineModules"
    )


def test_a_module_without_its_part_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    modules = registry.EngineModules(engine="keywright.errors", facts="keywright.errors", driver="", runtime="")
    monkeypatch.setattr(registry, "modules_of", lambda name: modules)
    with pytest.raises(UsageError, match=r'"keywright\.errors" has no EngineFacts with the name FACTS'):
        facts_of.__wrapped__("toy")
