"""Connections that stay open between requests, for a process that serves many requests."""

import os
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from keywright.compiler import Compiled
from keywright.engines.contract.resource import StackResource
from keywright.errors import Unavailable, UsageError, did_you_mean
from keywright.migrations.run.store import StoreConnection
from keywright.project.environments.environment import Environment

from ..live.connect import StoreSelector, environment_of, opened
from ..pulumi.plain import POSITION
from .desired import Stack, stack_of

PATIENCE_SECONDS = 10
"""Pause after a failed connection, because otherwise every resource of the store would wait for a timeout."""


@dataclass(slots=True)
class ConnectionPool:
    """Connections of an environment's stores, each opened at its first use, and used by one thread at a time."""

    where: StoreSelector
    """Selected stores."""
    is_of_stack: bool = True
    """Whether the stack has the environment's name."""
    _connections: dict[str, tuple[StoreConnection, ExitStack]] = field(default_factory=dict)
    _failed: dict[str, tuple[float, Unavailable]] = field(default_factory=dict)
    _turns: defaultdict[str, threading.Lock] = field(default_factory=lambda: defaultdict(threading.Lock))
    """Locks by engine, because servers finish one schema change before the next."""
    _stack_lock: threading.Lock = field(default_factory=threading.Lock)
    """Lock around the import of the models, which happens once per process."""
    _loaded_stack: Stack | None = None
    _environment: Environment | None = None

    def environment(self) -> Environment:
        """The environment, read once; for local servers, read at each call, since they may have changed."""
        if self._environment is None or self.where.is_local:
            self._environment = environment_of(self.where)
        return self._environment

    @property
    def is_applied(self) -> bool:
        """Whether `keywright migrate apply` is running, which holds the locks and makes all changes."""
        return self._position() is not None

    def declared(self, type: str, id: str) -> StackResource:
        """Declared resource with an id; UsageError if there is none."""
        resources = {
            resource.id: resource
            for target in self._stack().targets
            for resource in target.resources
            if resource.type == type
        }
        if id not in resources:
            help = did_you_mean(id, resources) if resources else "declare it in the models"
            raise UsageError(f'environment "{self.where.environment}" has no {type} "{id}"', help)
        return resources[id]

    def compiled(self) -> Compiled:
        """Compiled models of the environment."""
        return self._stack().compiled

    def _stack(self) -> Stack:
        with self._stack_lock:
            if self._loaded_stack is None:
                self._loaded_stack = stack_of(self.where, self._position())
            return self._loaded_stack

    def _position(self) -> str | None:
        """Position from `migrate apply`, only if the environment is the stack's; None for other environments."""
        return os.environ.get(POSITION) if self.is_of_stack else None

    @contextmanager
    def connection(self, store: str) -> Iterator[StoreConnection]:
        """Connection to a store within the block; after an error, the next use opens it again."""
        with self._turns[store.partition("/")[0]]:
            since, problem = self._failed.get(store, (0.0, None))
            if problem is not None and time.monotonic() < since + PATIENCE_SECONDS:
                raise problem
            if store not in self._connections:
                stack = ExitStack()
                self._connections[store] = stack.enter_context(opened(self.where, [store]))[store], stack
            try:
                yield self._connections[store][0]
            except BaseException as problem:
                self._connections.pop(store)[1].close()
                if isinstance(problem, Unavailable):
                    self._failed[store] = time.monotonic(), problem
                raise

    def close(self) -> None:
        """Close all connections."""
        for store in list(self._connections):
            self._connections.pop(store)[1].close()
