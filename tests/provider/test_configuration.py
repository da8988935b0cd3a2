"""The provider's part of a stack's configuration."""

from pathlib import Path

import pytest

from keywright.provider.configuration import Configuration

URN = "urn:pulumi:staging::shop::keywright:mongodb:Collection::content.posts"


def test_settings_that_nobody_knows_are_refused_with_the_nearest() -> None:
    known = {"environment": "{}", "local": "true", "mongodbUri": "a", "redisSessionsUri": "b", "version": "1"}
    assert list(Configuration.wrong(known)) == []
    ((key, problem),) = Configuration.wrong({"mongoUri": "a"})
    assert key == "mongoUri"
    assert problem == 'there is no setting "keywright:mongoUri"; did you mean "mongodbUri"?'


def test_a_resource_is_of_its_stack_unless_it_says_another(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.keywright]\n")
    monkeypatch.chdir(tmp_path)
    configuration = Configuration({"local": "true", "mongodbUri": "mongodb://a", "environment": "{}"})
    here = configuration.standing(URN, {"name": "posts"})
    assert (here.where.environment, here.where.is_local) == ("staging", True)
    assert here.where.addresses == {"mongodbUri": "mongodb://a"}
    assert configuration.standing(URN, None) is here
    assert configuration.standing(URN, {"environment": "prod"}).where.environment == "prod"
