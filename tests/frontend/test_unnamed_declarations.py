"""Declarations without a variable, names that are used twice, and the module of a declaration."""

from pathlib import Path

from tests.projects import a_project, errors_of, imported_alone, told, with_imports

from keywright import api

USER = """
content = kw.MongoDatabase("content")


class User(BaseModel):
    __store__: ClassVar = kw.Collection(content, "users", id="{name}")

    name: str
    email: str


"""


def errors_in(folder: Path, *sources: str) -> list[tuple[str, str]]:
    """(code, problem) of the errors of the model of a user and more lines."""
    return [(error.code, error.problem) for error in errors_of(folder, with_imports(USER, *sources))]


def test_a_pattern_that_loses_its_name_is_rejected(tmp_path: Path) -> None:
    errors = errors_of(tmp_path, with_imports(USER, 'user = kw.Get(User)\nuser = kw.Update(User, sets="email")'))
    assert [error.code for error in errors] == ["E0609"]
    assert errors[0].help == f'give one of them another name: line {errors[0].at.line + 1} declares "user" again'


def test_a_loop_keeps_only_the_last_pattern(tmp_path: Path) -> None:
    loop = 'for field in ("name", "email"):\n    found = kw.Read(User, eq=field, limit=2)'
    assert errors_in(tmp_path, loop) == [("E0609", 'a later declaration of "found" replaces this pattern')]


def test_a_pattern_in_no_variable_is_rejected(tmp_path: Path) -> None:
    assert errors_in(tmp_path, "kw.Get(User)") == [("E0607", "this pattern is not assigned to a variable")]


def test_a_binding_in_no_variable_is_rejected(tmp_path: Path) -> None:
    inline = 'by_mail = kw.Get(kw.bind(User, kw.Collection(content, "mails", id="{email}")), eq="email")'
    assert errors_in(tmp_path, inline) == [("E0607", "this binding is not assigned to a variable")]


def test_a_class_that_takes_the_name_of_another_is_rejected(tmp_path: Path) -> None:
    problem = 'a second class is called "User", and replaces the class in line 13'
    again = USER.replace('"users"', '"people"').replace('content = kw.MongoDatabase("content")', "")
    assert errors_in(tmp_path, "user = kw.Get(User)", again) == [("E0105", problem)]


def test_classes_of_one_name_in_two_modules_are_one_error_with_both_places(tmp_path: Path) -> None:
    first = with_imports(USER, "user = kw.Get(User)")
    second = first.replace('"content"', '"other"').replace("name", "key")
    errors = errors_of(tmp_path, {"models/a.py": first, "models/b.py": second})
    assert told(errors, tmp_path) == (
        'models/b.py:13 User: error[E0105]: a second model is called "User", the first is in line 13 of "models.a"\n'
        "  help: give one of them another name\n"
    )


def test_a_form_of_a_generic_model_needs_a_variable(tmp_path: Path) -> None:
    box = """
    from typing import Generic, TypeVar

    T = TypeVar("T")


    class Box(BaseModel, Generic[T]):
        __store__: ClassVar = kw.Collection(content, "boxes", id="{name}")

        name: str
        held: T


    """
    for name in ("bad", "good"):
        (tmp_path / name).mkdir()
    assert errors_in(tmp_path / "bad", box + "box = kw.Get(Box[int])") == [
        ("E0608", 'the class "Box[int]" is not assigned to a variable in the model files')
    ]
    assert errors_in(tmp_path / "good", box + "BoxInt = Box[int]\n    box = kw.Get(BoxInt)") == []


def test_what_another_module_imports_counts_once(tmp_path: Path) -> None:
    files = {
        "models/a.py": with_imports(USER, "user = kw.Get(User)\nsame = user\nPerson = User"),
        "models/b.py": "from .a import Person, User, content, user\nfrom .a import user as theirs\n\nhere = user\n",
        "models/__init__.py": "from .a import *\nfrom .b import *\n",
    }
    assert names_of(tmp_path, files) == [("models.a", "user")]


def test_a_pattern_that_a_function_makes_belongs_to_the_module_that_calls_it(tmp_path: Path) -> None:
    files = {
        "models/a.py": with_imports("def by_key(model: type[BaseModel]) -> kw.Get[Any]:\n    return kw.Get(model)"),
        "models/b.py": with_imports(USER, "from .a import by_key\n\nuser = by_key(User)"),
    }
    assert names_of(tmp_path, files) == [("models.b", "user")]


def names_of(folder: Path, files: dict[str, str]) -> list[tuple[str, str]]:
    """(module, name) of every pattern of a project without errors."""
    with imported_alone(folder):
        project = api.load(a_project(folder, files).root)
    return [(pattern.context, pattern.name) for pattern in project.design.patterns]
