"""Functions written as text."""

from keywright.runtime.function_source import FunctionSource


def test_functions_are_compiled_and_see_each_other() -> None:
    source = FunctionSource()
    source.define("double(m)", ["return 2 * m"])
    source.define("fourfold(m)", ["return double(double(m))"])
    assert source.compile("fourfold")(3) == 12
    assert source.compile("double")(3) == 6


def test_the_text_is_that_of_a_module() -> None:
    source = FunctionSource()
    source.define("nothing()", [])
    source.define("answer()", ["made = 42", "return made"])
    assert source.text == "def nothing():\n    pass\n\n\ndef answer():\n    made = 42\n    return made\n"


def test_a_value_has_one_name_that_says_what_it_is() -> None:
    source = FunctionSource()
    assert [source.use(len, "len"), source.use(len, "size"), source.use(max, "len")] == ["_len", "_len", "_len_1"]
    source.define("length(m)", ["return _len(m)"])
    assert source.compile("length")("abc") == 3


def test_a_name_holds_letters_and_digits_only() -> None:
    assert FunctionSource().use(1, "Box[int].größe") == "_Box_int__gr__e"


def test_a_fresh_name_is_taken_once() -> None:
    source = FunctionSource()
    assert [source.fresh("Part"), source.fresh("Part")] == ["_Part", "_Part_1"]
