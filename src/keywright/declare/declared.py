"""The base class of declarations: frozen, with keyword arguments, checked on creation, and aware of their source line.

Type checkers take them for frozen keyword-only dataclasses. `dataclasses` itself is not used: it compiles several
functions for each class, which would slow every import, and its error for a wrong option has no suggestion.
"""

import inspect
import os
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, ClassVar, Literal, dataclass_transform

from keywright.errors import DeclarationError, Place, report

from .declaration_options import SUBJECT, DeclarationOptions, problems_with

if TYPE_CHECKING:
    from collections.abc import Generator
    from types import FrameType, ModuleType

_KEYWRIGHT_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def subject(*, kw_only: Literal[False]) -> Any:
    """Marks a positional parameter of a declaration; all other options are keyword-only."""
    return SUBJECT


def call_site() -> Place:
    """File and line of the nearest caller outside keywright."""
    return _caller(sys._getframe(2))[0]  # pyright: ignore[reportPrivateUsage]


def _caller(frame: "FrameType") -> tuple[Place, str]:
    """File and line of the nearest caller outside keywright, and the module whose import made the call.

    They differ if a function of another module creates declarations for its caller.
    """
    while frame.f_back and frame.f_code.co_filename.startswith(_KEYWRIGHT_FOLDER):
        frame = frame.f_back
    at, module = Place(frame.f_code.co_filename, frame.f_lineno), frame
    while module.f_back and module.f_code.co_name != "<module>":
        module = module.f_back
    return at, str(module.f_globals.get("__name__", ""))


_recorded: "ContextVar[list[Declared] | None]" = ContextVar("recorded", default=None)


@contextmanager
def recording() -> "Generator[list[Declared], None, None]":
    """Collect every declaration that is created within the block, including those without a variable."""
    declared: list[Declared] = []
    token = _recorded.set(declared)
    try:
        yield declared
    finally:
        _recorded.reset(token)


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=False, field_specifiers=(subject,))
class Declared:
    """A declaration; two declarations are equal only if they are the same object."""

    method_of = ("", "")
    """(option, method) of a declaration that a method of the object in the option creates; not an option."""

    def __init_subclass__(cls) -> None:
        """Collect the annotated options of the class and its bases."""
        super().__init_subclass__()
        kinds: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            kinds.update(inspect.get_annotations(base))
        defaults = {name: getattr(cls, name) for name in kinds if hasattr(cls, name)}
        cls.__options__ = DeclarationOptions(cls.__name__, kinds, defaults, own=list(inspect.get_annotations(cls)))

    def __init__(self, /, *subjects: object, **options: object) -> None:
        declaration_options: DeclarationOptions = self.__options__
        values = {**dict(zip(declaration_options.subjects, subjects, strict=False)), **options} if subjects else options
        self.__dict__.update(declaration_options.defaults)
        # An unknown option may have the name of a method, which must stay visible.
        self.__dict__.update((name, value) for name, value in values.items() if name in declaration_options.kinds)
        self.__dict__["__at__"], self.__dict__["__module_name__"] = _caller(sys._getframe(1))  # pyright: ignore[reportPrivateUsage]
        if (declared := _recorded.get()) is not None:
            declared.append(self)
        problems = problems_with(declaration_options, values, len(subjects), options)
        for code, problem, help in problems:
            self.wrong(code, problem, help)
        if problems or any(map(_is_incomplete, values.values())):
            # Errors of a declaration with missing attributes would be consequences of the error that was reported.
            self.__dict__["__incomplete__"] = self.__dict__["__rejected__"] = True
        else:
            self.check()

    if TYPE_CHECKING:
        __options__: ClassVar[DeclarationOptions]
    else:

        def __setattr__(self, name: str, value: object) -> None:
            kind = type(self).__name__
            report(DeclarationError("E0505", f"a {kind} is immutable", call_site(), f"create another {kind}"))

    def __repr__(self) -> str:
        values = ((name, getattr(self, name, None)) for name in self.__options__.kinds)
        options = [
            f"{name}={value!r}" for name, value in values if value is not self.__options__.defaults.get(name, SUBJECT)
        ]
        return f"{type(self).__name__}({', '.join(options)})"

    @property
    def at(self) -> Place:
        """File and line of the declaration."""
        place: Place = self.__dict__["__at__"]
        return place

    @property
    def module(self) -> str:
        """Dotted name of the module that declares it."""
        name: str = self.__dict__["__module_name__"]
        return name

    def is_of(self, module: "ModuleType") -> bool:
        """Whether the module declares it, itself or by calling a function of another one."""
        return self.module == module.__name__ or self.at.file == module.__file__

    @property
    def is_rejected(self) -> bool:
        """Whether the declaration has an error."""
        return "__rejected__" in self.__dict__

    @property
    def is_incomplete(self) -> bool:
        """Whether its options, or those of one of its arguments, have the wrong types or are missing."""
        return "__incomplete__" in self.__dict__

    def check(self) -> None:
        """Report the errors that this declaration can find in itself."""

    def wrong(self, code: str, problem: str, help: str = "", subject: str = "", at: Place | None = None) -> None:
        """Report an error, by default at the place of this declaration.

        subject: the object of the message, such as a class.
        """
        self.__dict__["__rejected__"] = True
        report(DeclarationError(code, problem, at or self.at, help, subject))


def _is_incomplete(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_is_incomplete, value.values()))  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
    if isinstance(value, list):
        return any(map(_is_incomplete, value))  # pyright: ignore[reportUnknownArgumentType]
    return isinstance(value, Declared) and value.is_incomplete
