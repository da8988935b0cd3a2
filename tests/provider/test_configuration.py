"""The provider's part of a stack's configuration."""

from pathlib import Path

import pytest

from keywright.provider.configuration import ProviderConfiguration

URN = "urn:pulumi:staging::shop::keywright:mongodb:Collection::content.posts"


def test_settings_that_nobody_knows_are_refused_with_the_nearest() -> None:
    known = {"environment": "{}", "local": "true", "mongodbUri": "a", "redisSessionsUri": "b", "version": "1"}
    assert list(ProviderConfiguration.wrong(known)) == []
    ((key, problem),) = ProviderConfiguration.wrong({"mongoUri": "a"})
    assert key == "mongoUri"
    assert problem == 'there is no setting "keywright:mongoUri"; did you mean "mongodbUri"?'


def test_a_resource_is_of_its_stack_unless_it_says_another(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.keywright]\n")
    monkeypatch.chdir(tmp_path)
    configuration = ProviderConfiguration({"local": "true", "mongodbUri": "mongodb://a", "environment": "{}"})
    here = configuration.pool(URN, {"name": "posts"})
    assert (here.where.environment, here.where.is_local) == ("staging", True)
    assert here.where.addresses == {"mongodbUri": "mongodb://a"}
    assert configuration.pool(URN, None) is here
    assert configuration.pool(URN, {"environment": "prod"}).where.environment == "prod"


def test_a_position_counts_for_the_environment_of_the_stack(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.keywright]\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KEYWRIGHT_POSITION", "0002")
    configuration = ProviderConfiguration({})
    assert configuration.pool(URN, None).is_applied
    assert configuration.pool(URN, {"environment": "staging"}).is_applied
    assert not configuration.pool(URN, {"environment": "prod"}).is_applied
