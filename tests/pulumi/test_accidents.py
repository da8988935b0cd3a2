"""The previews of accidents are what the real command line says of them still."""

import pytest
from tests.pulumi.accidents import ACCIDENTS, PREVIEWS, previewed
from tests.pulumi.world import World

pytestmark = pytest.mark.live


@pytest.mark.parametrize("name", ACCIDENTS)
def test_a_preview_is_what_the_command_line_says(name: str, world: World) -> None:
    assert previewed(world, *ACCIDENTS[name]) == (PREVIEWS / f"{name}.json").read_text(encoding="utf-8")
