"""Errors of annotations."""


class NoLogicalType(TypeError):
    """An annotation that no store can hold, with a help line."""

    def __init__(self, problem: str, help: str, code: str = "E0204") -> None:
        super().__init__(problem)
        self.help, self.code = help, code


class AlreadyReported(Exception):
    """An embedded model has an error that was already reported."""
