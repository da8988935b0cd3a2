"""The result of a proof: counts, the server's evidence, and problems."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from keywright.ir.json import Json


@dataclass(slots=True)
class Proof:
    """The proof of one pattern on a real server."""

    problems: list[str] = field(default_factory=list)
    """Differences from the plan or from the answer computed in Python; empty if the pattern is proved."""
    contradictions: list[str] = field(default_factory=list)
    """Those problems in which the server's evidence contradicts the plan."""
    failure: Exception | None = None
    """Exception that ended a call; a problem as well."""
    calls: int = 0
    """Number of calls."""
    is_compared: bool = True
    """Whether answers were compared; false on a store with unknown data, where only evidence is collected."""
    returned: int = 0
    """Items returned by all calls."""
    expected: int = 0
    """Items expected by Python; for writes, the written items."""
    milliseconds: float = 0
    """Total time of all calls."""
    evidence: list[Mapping[str, Json]] = field(default_factory=list)
    """The server's reports, one for each request."""
    tolerance: str = ""
    """Inexact comparisons and their reason; empty if all comparisons were exact."""

    @property
    def is_proved(self) -> bool:
        """Whether the pattern was called and nothing disagrees."""
        return not self.problems and self.calls > 0

    def contradicts(self, problem: str) -> None:
        """Record once that the server's evidence contradicts the plan."""
        if problem not in self.contradictions:
            self.contradictions.append(problem)
        self.disagrees(f"evidence: {problem}")

    def disagrees(self, problem: str) -> None:
        """Record a problem once."""
        if problem not in self.problems:
            self.problems.append(problem)
