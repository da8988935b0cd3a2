"""The law of `Adoption.adopt`: lowered declarations are the target, apart from the parts listed as not expressed."""

import difflib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from keywright.edit.create.model_file import ModelFile, source_of
from keywright.engines.contract.adoption import Adopted
from keywright.engines.interface import Engine
from keywright.record import replace

RUFF = str(Path(sys.executable).with_name("ruff"))


def native(engine: Engine[Any, Any], target: Any) -> Any:
    """The native half of a target."""
    return engine.describe(replace(target, shape=()))["native"]


def adopted_native(engine: Engine[Any, Any], adopted: Adopted, environment: Any) -> Any:
    """The native half of the placed declarations."""
    (target,) = engine.lower(adopted.design)
    return native(engine, engine.place(target, environment))


def without(description: Any, path: str, above: str = "") -> Any:
    """A description without the part at a path, which it must contain. A collection may be without options, and a
    database without collections and indexes."""
    first, _, rest = path.partition("/")
    assert first in description, path
    others = {key: value for key, value in description.items() if key != first}
    inner = without(description[first], rest, first) if rest else {}
    is_database = "collections" in description  # only MongoDB's description names its parts if there are none
    stays = rest and (above == "collections" or (is_database and first in ("collections", "indexes")))
    return {**others, first: inner} if inner or stays else others


def assert_law(engine: Engine[Any, Any], target: Any, adopted: Adopted, environment: Any) -> None:
    """Every part is expressed or listed, and every listed part exists."""
    expected = native(engine, engine.place(target, environment))
    for part in adopted.not_expressed:
        expected = without(expected, part.object)
    sides = (lines(expected), lines(adopted_native(engine, adopted, environment)))
    assert not list(difflib.unified_diff(*sides, lineterm="")), "\n".join(difflib.unified_diff(*sides, lineterm=""))


def lines(description: Any) -> list[str]:
    """A description line by line."""
    return json.dumps(description, indent=1, sort_keys=True).splitlines()


def assert_is_as_a_person_writes(adopted: Adopted, folder: Path) -> str:
    """The source of declarations, which can be imported, and which a formatter and a linter leave unchanged."""
    text = source_of(ModelFile("Adopted.", adopted.design, adopted.comments))
    file = folder / "adopted.py"
    file.write_text(text)
    module = ModuleType("adopted")
    sys.modules["adopted"] = module  # where Pydantic looks for names in annotations
    exec(compile(text, str(file), "exec"), vars(module))
    del sys.modules["adopted"]
    for words in (["format", "--diff"], ["check", "--select", "E,F,I,UP", "--ignore", "E501"]):
        command = [RUFF, *words, "--isolated", "--config", 'lint.isort.known-first-party=["keywright"]', str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
    return text
