"""Real servers for tests."""

from tests.live.truth import is_true as is_true
from tests.servers import Start as Start
from tests.servers import start as start
