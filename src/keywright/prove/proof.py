"""What a proof says: what was compared, what the server's evidence is, and what disagrees."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from keywright.ir.json import Json


@dataclass(slots=True)
class Proof:
    """One pattern on a real server."""

    problems: list[str] = field(default_factory=list)
    """What disagrees with the plan or with the answer computed in Python; nothing where it is proved."""
    calls: int = 0
    """Calls that were made."""
    is_compared: bool = True
    """Whether answers were compared; false on a store that others loaded: then there is evidence alone."""
    returned: int = 0
    """Items returned by all calls."""
    expected: int = 0
    """Items that Python expected; written ones for writes."""
    milliseconds: float = 0
    """Time of all calls."""
    evidence: list[Mapping[str, Json]] = field(default_factory=list)
    """What the server said, request by request."""
    tolerance: str = ""
    """What was not compared exactly, and why; empty where all was."""

    @property
    def is_proved(self) -> bool:
        """Whether the pattern was called and nothing disagrees."""
        return not self.problems and self.calls > 0

    def disagrees(self, problem: str) -> None:
        """Note a problem, each once."""
        if problem not in self.problems:
            self.problems.append(problem)
