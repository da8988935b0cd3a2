"""What is wrong with a stack file or a model is a sentence of the real command line, with its place."""

import pytest
from tests.pulumi.world import World

pytestmark = pytest.mark.live


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("stacks/Pulumi.dev.yaml", "mode: dev", "moode: dev", 'an environment has no setting "moode"'),
        ("models/shop.py", "USER#{user_id}", "USER#{user_idd}", 'pk names the unknown field "user_idd"'),
    ],
)
def test_what_is_wrong_with_a_project_is_said_with_its_place(
    world: World, file: str, old: str, new: str, words: str
) -> None:
    assert world.pulumi("stack", "init", "dev").code == 0
    world.edit(file, old, new)
    said = world.pulumi("preview", "-s", "dev")
    assert said.code != 0
    assert f"{world.root / file}:" in said.text
    assert words in said.text
    assert "Traceback" not in said.text


def test_a_stack_that_is_no_environment_says_so(world: World) -> None:
    assert world.pulumi("stack", "init", "qa").code == 0
    said = world.pulumi("preview", "-s", "qa")
    assert 'the file has no "keywright:environment" below "config"' in said.text
    assert "Traceback" not in said.text
