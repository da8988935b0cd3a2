"""Stores that stay open from one request to the next, for a process that serves many."""

import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from keywright.compiler import Compiled
from keywright.engines.registry import ENGINES
from keywright.engines.resource import Resource
from keywright.errors import Unavailable, UsageError, did_you_mean
from keywright.history.site import Site
from keywright.project.environment import Environment

from .provided import POSITION
from .sites import Where, environment_of, opened
from .stack import Stack, resources_of, stack_of

PATIENCE_SECONDS = 10
"""How long a store that could not be reached is not asked again: else each resource in it would wait for itself."""


@dataclass(slots=True)
class Standing:
    """The stores of an environment, each opened when it is first asked for, and used by one thread at a time."""

    where: Where
    """Which stores are meant."""
    _sites: dict[str, tuple[Site, ExitStack]] = field(default_factory=dict)
    _failed: dict[str, tuple[float, Unavailable]] = field(default_factory=dict)
    _turns: Mapping[str, threading.Lock] = field(
        default_factory=lambda: {one.name: threading.Lock() for one in ENGINES}
    )
    """One for each engine: servers settle one change of their schema before the next."""
    _finding: threading.Lock = field(default_factory=threading.Lock)
    """Models are imported by one thread, and once: a process serves one command."""
    _found: Stack | None = None

    def environment(self) -> Environment:
        """The environment."""
        return environment_of(self.where)

    @property
    def is_applied(self) -> bool:
        """Whether `keywright migrate apply` is at work, which holds the locks and does all that is to be done."""
        return POSITION in os.environ

    def declared(self, type: str, id: str) -> Resource:
        """The resource that the environment is to have under an id; UsageError if there is none."""
        known = {one.id: one for target in self._stack().targets for one in resources_of(target) if one.type == type}
        if id not in known:
            help = did_you_mean(id, known) if known else "declare it in the models first"
            raise UsageError(f'environment "{self.where.environment}" has no {type} "{id}"', help)
        return known[id]

    def compiled(self) -> Compiled:
        """The models."""
        return self._stack().compiled

    def _stack(self) -> Stack:
        with self._finding:
            if self._found is None:
                self._found = stack_of(self.where, os.environ.get(POSITION))
            return self._found

    @contextmanager
    def site(self, store: str) -> Iterator[Site]:
        """A store, for the length of the block; after an error it is opened anew the next time."""
        with self._turns[store.partition("/")[0]]:
            since, problem = self._failed.get(store, (0.0, None))
            if problem is not None and time.monotonic() < since + PATIENCE_SECONDS:
                raise problem
            if store not in self._sites:
                stack = ExitStack()
                self._sites[store] = stack.enter_context(opened(self.where, [store]))[store], stack
            try:
                yield self._sites[store][0]
            except BaseException as problem:
                self._sites.pop(store)[1].close()
                if isinstance(problem, Unavailable):
                    self._failed[store] = time.monotonic(), problem
                raise

    def close(self) -> None:
        """End all connections."""
        for store in list(self._sites):
            self._sites.pop(store)[1].close()
