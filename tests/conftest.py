"""What all tests share: golden files, and an interpreter that forgets the projects of the test before."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # a machine that is busy with something else is no failure
settings.load_profile("untimed")

# A run in the background has SIGINT ignored, which the programs that tests start and interrupt would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-goldens", action="store_true", help="write golden files in place of comparing them")
    parser.addoption("--soundness", type=int, default=1, metavar="N", help="so many times as many generated models")


@pytest.fixture(autouse=True)
def _no_variables(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the run itself is told, such as the engines that it must have, is not meant for the programs under test."""
    if "live" not in request.keywords:
        for variable in [name for name in os.environ if name.startswith("KEYWRIGHT_")]:
            monkeypatch.delenv(variable)


@pytest.fixture(autouse=True)
def _forgets_projects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Modules of temporary projects, and the folders that were searched for them, do not outlive their test."""
    path, folder = sys.path[:], tmp_path_factory.getbasetemp()
    yield
    sys.path[:] = path
    for name in [name for name, module in sys.modules.items() if _is_below(folder, module)]:
        del sys.modules[name]


def _is_below(folder: Path, module: ModuleType) -> bool:
    homes = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
    return any(isinstance(home, str) and Path(home).is_relative_to(folder) for home in homes)


@pytest.fixture
def is_golden(request: pytest.FixtureRequest) -> Callable[[Path, str], bool]:
    """Whether a text is that of a golden file; `pytest --update-goldens` writes the file instead."""

    def compare(golden: Path, text: str) -> bool:
        if request.config.getoption("--update-goldens"):
            golden.parent.mkdir(parents=True, exist_ok=True)
            golden.write_text(text, encoding="utf-8")
        return golden.is_file() and golden.read_text(encoding="utf-8") == text

    return compare
