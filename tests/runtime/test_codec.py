"""Which codec a model has, and what is said where it has none."""

import gc
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel, Field

import keywright as kw
from keywright import runtime
from keywright.errors import UsageError

table = kw.DynamoTable("things")


class Thing(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="THING#{name}", sk="THING")

    name: str


class Special(Thing):
    """Without a store: a subclass does not inherit one."""

    extra: int = 0


class Homeless(BaseModel):
    name: str


stored = kw.bind(Homeless, kw.Item(table, pk="HOME#{name}", sk="HOME", read_copies=2))


def test_a_codec_is_made_once() -> None:
    assert runtime.codec_of(Thing) is runtime.codec_of(Thing)
    assert runtime.codec_of(stored) is runtime.codec_of(stored)


def test_the_models_of_codecs_are_kept_so_that_no_other_gets_their_place() -> None:
    def made(prefix: str) -> Any:
        return kw.bind(Homeless, kw.Item(table, pk=prefix + "#{name}", sk="HOME"))

    for number in range(5):
        gc.collect()
        key = runtime.key_of(Homeless(name="a"), made(f"P{number}"))
        assert key == {"pk": {"S": f"P{number}#a"}, "sk": {"S": "HOME"}}


def test_a_model_without_a_store_is_stored_through_a_binding() -> None:
    home = Homeless(name="a")
    assert runtime.key_of(home, stored) == {"pk": {"S": "HOME#a#0"}, "sk": {"S": "HOME"}}
    assert runtime.to_item(home, stored) == runtime.to_items(home, stored)[0]
    assert [item["pk"]["S"] for item in runtime.to_items(home, stored)] == ["HOME#a#0", "HOME#a#1"]
    assert [runtime.from_item(stored, item) for item in runtime.to_items(home, stored)] == [home, home]


def test_a_model_without_a_store_has_no_codec() -> None:
    with pytest.raises(UsageError, match='"Homeless" has no __store__') as raised:
        runtime.to_item(Homeless(name="a"))
    assert raised.value.help == "declare one in the class, or pass kw.bind(...)"


def test_an_instance_of_a_subclass_is_not_stored_as_one_of_the_class() -> None:
    with pytest.raises(UsageError, match='"Special" has no __store__'):
        runtime.to_item(Special(name="a"))


def test_an_instance_of_a_subclass_is_stored_through_a_binding_as_what_that_says() -> None:
    binding = kw.bind(Thing, kw.Item(table, pk="OTHER#{name}", sk="OTHER"))
    assert runtime.from_item(binding, runtime.to_item(Special(name="a", extra=1), binding)) == Thing(name="a")


def test_a_model_may_be_changed_after_validation() -> None:
    class Changed(BaseModel):
        __store__: ClassVar = kw.Item(table, pk="CHANGED#{name}", sk="CHANGED")

        name: str = Field(min_length=2)

    changed = Changed(name="ab").model_copy(update={"name": "cd"})
    assert runtime.from_item(Changed, runtime.to_item(changed)) == changed


def test_a_binding_of_another_class_is_refused() -> None:
    with pytest.raises(UsageError, match='a binding of "Homeless" was passed for an instance of "Thing"'):
        runtime.to_item(Thing(name="a"), stored)
