"""YAML values as records."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import pytest

from keywright.engines.environment import ByteSize
from keywright.errors import NOWHERE, gathering
from keywright.project.environments.stack_file import YamlValue, read_stack
from keywright.project.environments.typed import InvalidSetting, build, convert
from keywright.record import Record


class Disk(Record, kw_only=True):
    """A dataclass of a test."""

    size: ByteSize
    """Its size."""
    mount_point: str = "/"
    """Its place."""


def a_value(data: Any) -> YamlValue:
    """A YAML value of plain data."""
    if isinstance(data, dict):
        return YamlValue({key: a_value(value) for key, value in data.items()}, NOWHERE, NOWHERE)
    if isinstance(data, list):
        return YamlValue([a_value(value) for value in data], NOWHERE, NOWHERE)
    return YamlValue(data, NOWHERE, NOWHERE)


@pytest.mark.parametrize(
    ("kind", "data", "value"),
    [
        (str, "a", "a"), (int, 3, 3), (float, 3, 3), (float, 0.5, 0.5), (bool, True, True),
        (str | None, None, None), (str | None, "a", "a"), (int | str, "a", "a"), (int | bool, True, True),
        (Literal["a", "b"], "b", "b"), (Literal[1, 2], 2, 2),
        (tuple[int, ...], [1, 2], (1, 2)), (Mapping[str, int], {"a": 1}, {"a": 1}), (dict[str, int], {}, {}),
        (ByteSize, 3, 3), (ByteSize, "3", 3), (ByteSize, "3b", 3), (ByteSize, "4kb", 4096), (ByteSize, "4K", 4096),
        (ByteSize, "512mb", 2**29), (ByteSize, "4 GB", 2**32), (ByteSize, "1tb", 2**40),
        (Disk, {"size": "1kb", "mount-point": "/data"}, Disk(size=ByteSize(1024), mount_point="/data")),
        (Mapping[str, Disk], {"a": {"size": 1}}, {"a": Disk(size=ByteSize(1))}),
    ],
)  # fmt: skip
def test_a_value_of_the_kind_is_taken(kind: Any, data: Any, value: Any) -> None:
    assert convert(kind, a_value(data), "setting") == value


@pytest.mark.parametrize(
    ("kind", "data", "problem"),
    [
        (str, 3, '"it" is the number 3, it takes text'),
        (int, "3", '"it" is "3", it takes a whole number'),
        (int, True, '"it" is true, it takes a whole number'),
        (int, 0.5, '"it" is 0.5, it takes a whole number'),
        (float, "x", '"it" is "x", it takes a number'),
        (bool, "yes", '"it" is "yes", it takes true or false'),
        (bool, 0, '"it" is 0, it takes true or false'),
        (str, None, '"it" is empty, it takes text'),
        (str, ["a"], '"it" is a list, it takes text'),
        (Literal["7.0"], 7.0, '"it" is the number 7.0, it takes text'),
        (Literal["a", "b"], "c", '"it" is "c", it takes "a", "b"'),
        (tuple[int, ...], 3, '"it" is 3, it takes a list'),
        (tuple[int, ...], ["a"], '"it[0]" is "a", it takes a whole number'),
        (Mapping[str, int], [1], '"it" is a list, it takes a mapping'),
        (ByteSize, "4 giga", '"it" is "4 giga", it takes a size'),
        (ByteSize, True, '"it" is true, it takes a size'),
        (ByteSize, -1, '"it" is -1, it takes a size'),
        (Disk, {"size": 1, "mount_point": "/"}, '"it" has no setting "mount_point"'),
        (Disk, {}, '"it" needs "size"'),
    ],
)
def test_any_other_value_is_refused(kind: Any, data: Any, problem: str) -> None:
    with gathering() as errors, pytest.raises(InvalidSetting):
        convert(kind, a_value(data), "it")
    assert [error.problem for error in errors] == [problem]
    assert all(error.help for error in errors)


def test_all_mistakes_below_a_mapping_are_told() -> None:
    with gathering() as errors, pytest.raises(InvalidSetting):
        build(Disk, a_value({"size": "big", "mount-point": 3, "speed": 1}), "disk")
    assert [error.code for error in errors] == ["E0402", "E0402", "E0401"]


def test_values_know_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "stack.yaml"
    file.write_text("a:\n  b: 1\n  c:\n    - x\n    - y\n")
    outer = read_stack(file).data
    assert isinstance(outer, dict)
    inner = outer["a"].data
    assert isinstance(inner, dict)
    assert (outer["a"].key_at.line, outer["a"].at.line) == (1, 2)
    assert (inner["b"].at.line, inner["c"].key_at.line) == (2, 3)
    assert isinstance(inner["c"].data, list)
    assert [value.at.line for value in inner["c"].data] == [4, 5]
