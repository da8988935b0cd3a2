"""Model files that print, end the process or never end: one error with the file's name, and a whole document."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.projects import a_project, with_imports

LOUD = """
import os
import subprocess
import sys

print("loud")
os.write(1, b"louder\\n")
sys.__stdout__.write("loudest\\n")
subprocess.run([sys.executable, "-c", "print('from outside')"], check=True)

content = kw.MongoDatabase("content")


class User(BaseModel):
    __store__: ClassVar = kw.Collection(content, "users", id="{name}")

    name: str


user = kw.Get(User, rate="1/s")
"""

ENDS = {
    "import os\nos._exit(0)": "it ends the process with os._exit(0)",
    "import sys\nsys.exit(3)": "SystemExit: 3",
    "raise KeyboardInterrupt": "it raises KeyboardInterrupt",
    "raise SystemExit": "does not import: SystemExit\n",
    "raise GeneratorExit('x')": "GeneratorExit: x",
    "while True:\n    pass": "it did not finish within 1 second",
    "while True:\n    try:\n        pass\n    except Exception:\n        pass": "it did not finish within 1 second",
    "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()": "it did not finish within 1 second",
    "class Stop(BaseException):\n    pass\n\n\nraise Stop('now')": "Stop: now",
    "def again() -> None:\n    again()\n\n\nagain()": "RecursionError: maximum recursion depth exceeded",
    "x = = 1": "the file is not valid Python: invalid syntax",
}
"""What a model file does, and what is reported of it."""


def keywright(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "keywright", *arguments], cwd=folder, capture_output=True, text=True, check=False,
        timeout=120,
    )  # fmt: skip


@pytest.mark.parametrize("command", [("check",), ("patterns",), ("migrate", "diff", "--check")])
def test_what_a_model_file_prints_is_no_part_of_a_document(command: tuple[str, ...], tmp_path: Path) -> None:
    a_project(tmp_path, with_imports(LOUD))
    done = keywright(tmp_path, *command, *(("--format", "json") if "migrate" not in command else ()))
    assert not any(word in done.stdout for word in ("loud", "outside"))
    assert all(word in done.stderr for word in ("loud\n", "louder\n", "loudest\n", "from outside\n"))
    if "migrate" not in command:
        assert json.loads(done.stdout)


@pytest.mark.parametrize("body", ENDS)
def test_a_file_that_ends_the_process_or_never_ends_is_one_error(body: str, tmp_path: Path) -> None:
    a_project(tmp_path, body)
    done = keywright(tmp_path, "check", "--import-timeout", "1")
    assert done.returncode == 2
    assert "models/case.py:" in done.stdout
    assert ENDS[body] in done.stdout
    assert done.stderr.startswith("\n1 error; ")
    assert "Traceback" not in done.stdout + done.stderr


def test_an_interrupt_from_outside_is_one_while_a_file_is_imported(tmp_path: Path) -> None:
    a_project(tmp_path, "import os\nimport signal\nos.kill(os.getpid(), signal.SIGINT)\nfor _ in range(10**9): pass")
    done = keywright(tmp_path, "check", "--import-timeout", "20")
    assert "does not import" not in done.stdout
    assert done.returncode not in (0, 2)


CATCHES_ALL = """
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
"""


def test_a_file_that_catches_everything_ends_the_command_with_its_name(tmp_path: Path) -> None:
    a_project(tmp_path, CATCHES_ALL)
    done = keywright(tmp_path, "check", "--import-timeout", "1")
    assert done.returncode == 2
    assert done.stderr.endswith("models/case.py does not import: it did not finish within 1 second\n")


def test_a_file_that_is_no_text_is_one_error(tmp_path: Path) -> None:
    a_project(tmp_path, "")
    (tmp_path / "models" / "case.py").write_bytes(b"name = '\xff\xfe'\n")
    done = keywright(tmp_path, "check")
    assert done.returncode == 2
    assert "models/case.py: error[E0106]: the file is not text in UTF-8" in done.stdout


def test_a_project_says_how_long_its_files_may_take(tmp_path: Path) -> None:
    files = {"models/case.py": "while True:\n    pass", "pyproject.toml": "[tool.keywright]\nimport-timeout = 1\n"}
    a_project(tmp_path, files)
    assert "it did not finish within 1 second" in keywright(tmp_path, "check").stdout


def test_the_limit_is_a_number_above_zero(tmp_path: Path) -> None:
    a_project(tmp_path, "")
    done = keywright(tmp_path, "check", "--import-timeout", "0")
    assert done.returncode == 2
    assert done.stderr.startswith('error: "--import-timeout" is "0", it takes seconds above 0')
