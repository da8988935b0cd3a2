"""Real servers for tests."""

from tests.servers import Start as Start
from tests.servers import start as start
