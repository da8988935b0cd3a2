"""What all tests share: golden files, and an interpreter that forgets the projects of the test before."""

import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings
from tests.goldens import difference
from tests.servers import prefer_valkey

from keywright import api

prefer_valkey()

settings.register_profile(
    "untimed",
    deadline=None,  # a machine that is busy with something else is no failure
    derandomize="KEYWRIGHT_SAME_EXAMPLES" in os.environ,  # an unrelated change does not fail by a new example
)
settings.load_profile("untimed")

# A run in the background has SIGINT ignored, which the programs that tests start and interrupt would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-goldens", action="store_true", help="write golden files in place of comparing them")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the seconds of folders and of the slowest files of tests, added up over workers."""
    folders, files = Counter[str](), Counter[str]()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                file = report.nodeid.partition("::")[0]
                files[file] += report.duration
                folders[str(Path(file).parent)] += report.duration
    if len(files) > 1:
        for title, seconds in (("each folder", folders), ("the slowest files", files)):
            terminalreporter.section(f"seconds of {title}")
            for name, duration in seconds.most_common(40):
                terminalreporter.write_line(f"{duration:8.1f}  {name}")


@pytest.fixture(autouse=True)
def _no_variables(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the run itself is told, such as the engines that it must have, is not meant for the programs under test."""
    if "live" not in request.keywords:
        for variable in [name for name in os.environ if name.startswith("KEYWRIGHT_")]:
            monkeypatch.delenv(variable)


@pytest.fixture(autouse=True)
def _forgets_projects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Modules of temporary projects, and the folders that were searched for them, do not outlive their test."""
    path, folder = sys.path[:], f"{tmp_path_factory.getbasetemp()}{os.sep}"
    yield
    sys.path[:] = path
    for name in [name for name, module in sys.modules.items() if _is_below(folder, module)]:
        del sys.modules[name]


def _is_below(folder: str, module: ModuleType) -> bool:
    """Whether a module comes from a folder; compared as text, since every test asks this of every module."""
    homes = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
    return any(isinstance(home, str) and home.startswith(folder) for home in homes)


@pytest.fixture(scope="session")
def prod() -> api.Compiled:
    """The worked example, compiled for production."""
    return api.compile(api.load(str(Path(__file__).parents[1])), "prod")


@pytest.fixture
def is_golden(request: pytest.FixtureRequest) -> Callable[[Path, str], bool]:
    """Whether a text is that of a golden file; prints the difference. `pytest --update-goldens` writes the file."""

    def compare(golden: Path, text: str) -> bool:
        if request.config.getoption("--update-goldens"):
            golden.parent.mkdir(parents=True, exist_ok=True)
            golden.write_text(text, encoding="utf-8")
        if lines := difference(golden, text):
            print(f"{lines}If this change is intended: pytest --update-goldens {request.node.nodeid}")
        return not lines

    return compare
