"""Explains why a model file does not import: the cause of the exception, at the user's own line."""

import inspect
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

from keywright.declare.locate import attribute_line, is_in_format_string, top_line
from keywright.errors import DeclarationError, Place, did_you_mean

from .import_limits import NotImported

_CYCLE = re.compile(r"partially initialized module '([\w.]+)'")
_NOT_IMPORTED = re.compile(r"cannot import name '(\w+)' from 'keywright'")
_BARE_ATTRIBUTE = re.compile(r"A non-annotated attribute was detected: `(\w+) = (\w*)")
_KEYWORD = re.compile(r"^(\w+)\.(\w+)\(\) got an unexpected keyword argument '(\w+)'")
_TYPED_DICT = re.compile(r"`typing_extensions\.TypedDict`")
_UNKNOWN_TYPE = re.compile(r"Unable to generate pydantic-core schema for (.+?)\. Set ")


def import_error_of(error: BaseException, file: Path, roots: Sequence[Path]) -> DeclarationError:
    """The compile error for an exception from the import of a model file.

    file: the file that was being imported; roots: the import roots, which contain the user's own files.
    """
    if isinstance(error, DeclarationError):
        return error
    at = _last_own_line(error, roots) or Place(str(file), 0)
    if isinstance(error, NotImported):
        return DeclarationError("E0101", f"the file does not import: {error.problem}", at, error.help)
    for explain in _EXPLANATIONS:
        if (explained := explain(error, at)) is not None:
            return explained
    summary = ": ".join(filter(None, (type(error).__name__, _sentence(error))))
    problem = f"the file does not import: {summary}"
    return DeclarationError("E0101", problem, at, _advice(error, at))


def _unreadable(error: BaseException, at: Place) -> DeclarationError | None:
    if isinstance(error, OSError) and not at.line:
        problem = f"the file cannot be read: {error.strerror}"
        return DeclarationError("E0106", problem, at, "make the file readable for the user that runs keywright")
    if not isinstance(error, SyntaxError):
        return None
    file = error.filename if error.filename and Path(error.filename).is_file() else at.file
    if "unicode" in str(error) or "null bytes" in str(error):
        return DeclarationError("E0106", "the file is not text in UTF-8", Place(file, 0), "save it as UTF-8")
    help = "correct the syntax; Python reports where it noticed the error, and the cause may be just above"
    return DeclarationError("E0106", f"the file is not valid Python: {error.msg}", Place(file, error.lineno or 0), help)


def _in_cycle(error: BaseException, at: Place) -> DeclarationError | None:
    match = _CYCLE.search(str(error)) if isinstance(error, (ImportError, AttributeError)) else None
    module = match[1] if match else _unfinished(error)
    if not module:
        return None
    problem = f'circular import: "{module}" is still being imported'
    help = 'move shared declarations into a third file, or refer to the other model by its quoted name: kw.Ref("Other")'
    return DeclarationError("E0104", problem, at, help)


def _unfinished(error: BaseException) -> str:
    """Dotted name of a module that its package lacks because its import has not finished; empty if there is none."""
    if not isinstance(error, AttributeError) or not isinstance(error.obj, ModuleType):
        return ""
    name = f"{error.obj.__name__}.{error.name}"
    suffixes = (f"/{name.replace('.', '/')}.py", f"/{name.replace('.', '/')}/__init__.py")
    is_under_way = any(frame.filename.endswith(suffixes) for frame in traceback.extract_tb(error.__traceback__))
    return name if is_under_way else ""


def _unknown_word(error: BaseException, at: Place) -> DeclarationError | None:
    if isinstance(error, AttributeError):
        word = error.name if error.obj is sys.modules["keywright"] else None
    else:
        match = _NOT_IMPORTED.search(str(error)) if isinstance(error, ImportError) else None
        word = match[1] if match else None
    if not word:
        return None
    return DeclarationError("E0109", f'keywright has no name "{word}"', at, did_you_mean(word, _words()))


def _words() -> list[str]:
    return [word for word in dir(sys.modules["keywright"]) if not word.startswith("_")]


def _bare_attribute(error: BaseException, at: Place) -> DeclarationError | None:
    match = _BARE_ATTRIBUTE.search(str(error))
    if match is None:
        return None
    name, kind = match[1], match[2]
    help = f"write {name}: <type> = ..., or {name}: ClassVar = ... if it is not a field"
    if _is_a(kind, "Store"):
        help = f"name the store __store__: write __store__: ClassVar = kw.{kind}(...)"
    elif _is_a(kind, "TimedPattern"):
        help = f"declare patterns below the class: {name} = kw.{kind}(<the class>, ...)"
    place = Place(at.file, attribute_line(at.file, at.line, name) or at.line)
    return DeclarationError("E0209", f'"{name}" has a value but no annotation', place, help)


def _unknown_type(error: BaseException, at: Place) -> DeclarationError | None:
    match = _UNKNOWN_TYPE.search(str(error))
    if match is None:
        return None
    name = match[1].removeprefix("<class '").removesuffix("'>").rpartition(".")[2]
    help = "use a plain type, a list, a dict or a model"
    if _is_a(name, "Store"):
        help = f"name the store __store__: write __store__: ClassVar = kw.{name}(...)"
    return DeclarationError("E0204", f'a field is annotated with "{name}", which cannot be stored', at, help)


def _unknown_option(error: BaseException, at: Place) -> DeclarationError | None:
    """An unknown option of a method of a declaration, such as `index.key`."""
    match = _KEYWORD.search(str(error)) if isinstance(error, TypeError) else None
    if match is None or match[1] not in _words():
        return None
    method = getattr(getattr(sys.modules["keywright"], match[1]), match[2], None)
    options = [name for name in inspect.signature(method).parameters if name != "self"] if callable(method) else []
    problem = f'{match[1]}.{match[2]}(...) has no option "{match[3]}"'
    return DeclarationError("E0501", problem, at, did_you_mean(match[3], options))


def _typed_dict(error: BaseException, at: Place) -> DeclarationError | None:
    if _TYPED_DICT.search(str(error)) is None:
        return None
    problem = "a field is annotated with a TypedDict, which has no Pydantic fields"
    help = "write it as class ...(BaseModel):, or as a dataclass of pydantic.dataclasses"
    return DeclarationError("E0204", problem, at, help)


def _is_a(word: str, base: str) -> bool:
    """Whether a name of the vocabulary is a subclass of `base`."""
    value = getattr(sys.modules["keywright"], word, None) if word in _words() else None
    return isinstance(value, type) and any(parent.__name__ == base for parent in value.__mro__)


_EXPLANATIONS: tuple[Callable[[BaseException, Place], DeclarationError | None], ...] = (
    _unreadable,
    _in_cycle,
    _unknown_word,
    _bare_attribute,
    _unknown_type,
    _typed_dict,
    _unknown_option,
)
"""Functions that recognise an exception and give it a code of its own; any other exception is E0101."""


def _last_own_line(error: BaseException, roots: Sequence[Path]) -> Place | None:
    """The last line of the traceback in the project's own files."""
    tops = [f"{root.resolve()}/" for root in roots]
    keywright_folder = f"{Path(__file__).parent.parent}/"
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if any(frame.filename.startswith(top) for top in tops)
        and "/site-packages/" not in frame.filename
        and not frame.filename.startswith(keywright_folder)
    ]
    return Place(own[-1].filename, own[-1].lineno or 0) if own else None


def _sentence(error: BaseException) -> str:
    return " ".join(str(error).split("\n", 1)[0].split())[:300]


def _advice(error: BaseException, at: Place) -> str:
    if isinstance(error, ModuleNotFoundError):
        return f'install "{error.name}", or add its folder to `import-roots` under [tool.keywright] in pyproject.toml'
    if isinstance(error, SystemExit):
        return "a model file must only declare: guard code that runs with `if __name__ == '__main__':`"
    if isinstance(error, NameError):
        return _advice_on_name(error.name or "", at)
    return "correct that line: the file must be importable on its own, as with `python -c 'import ...'`"


def _advice_on_name(name: str, at: Place) -> str:
    if is_in_format_string(at.file, at.line, name):
        return f'keywright fills the braces, not Python: write "...{{{name}}}..." without the f before the quotes'
    if (line := top_line(at.file, name)) > at.line:
        return f'"{name}" is defined below, in line {line}: move this line below it'
    return f'define or import "{name}" above this line'
