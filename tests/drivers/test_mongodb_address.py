"""Addresses of MongoDB: what its client would warn of or trip over, and what it is given for a login by IAM."""

import importlib.util
import warnings
from pathlib import Path

import pytest
from pymongo.uri_parser import parse_uri

from keywright.drivers.mongodb import address as mongodb_address
from keywright.drivers.mongodb import driver as mongodb
from keywright.engines.interface import StatementFailed

AWS = (
    "mongodb://AKIAEXAMPLE:s3cret%2Fkey@localhost:1/?tls=true&authMechanism=MONGODB-AWS&authSource=%24external"
    "&authMechanismProperties=AWS_SESSION_TOKEN:s3cret%2Btoken"
)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("tlsCaFile=/nowhere.pem", '"/nowhere.pem" of its address cannot be read: no such file'),
        ("tls=true&tlsCertificateKeyFile=/", '"/" of its address cannot be read: is a directory'),
        ("tlsCRLFile=/nowhere.pem", 'option "tlsCRLFile" of its address has an invalid value'),
        ("tsl=s3cret", 'unknown option "tsl"'),
        ("tls=s3cret", 'option "tls" of its address has an invalid value'),
        ("authMechanism=s3cret", 'option "authMechanism" of its address has an invalid value'),
        ("authMechanismProperties=s3cret", 'option "authMechanismProperties" of its address has an invalid value'),
        ("serverSelectionTimeoutMS=s3cret", 'option "serverSelectionTimeoutMS" of its address has an invalid value'),
    ],
)
def test_an_option_that_cannot_be_used_is_refused_without_its_value(options: str, words: str) -> None:
    address = f"mongodb://user:s3cret@localhost:1/?{options}"
    with warnings.catch_warnings(record=True) as warned, pytest.raises(StatementFailed) as problem:
        mongodb.connect(address)
    assert words in str(problem.value)
    assert "s3cret" not in str(problem.value)
    assert warned == []
    assert not mongodb.is_ready(address)


def test_a_key_of_another_password_is_refused_and_asked_for_nowhere(tmp_path: Path) -> None:
    key = tmp_path / "client.pem"
    key.write_text("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n")
    with pytest.raises(StatementFailed, match="cannot be read"):
        mongodb.connect(f"mongodb://localhost:1/?tls=true&tlsCertificateKeyFile={key}")


def test_a_login_by_iam_needs_a_package_and_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mongodb_address, "find_spec", lambda name: None)
    with pytest.raises(StatementFailed, match=r'pip install "pymongo\[aws\]"') as problem:
        mongodb.connect(AWS)
    assert "s3cret" not in str(problem.value)


def test_a_login_by_iam_reaches_pymongo_with_key_secret_and_token(monkeypatch: pytest.MonkeyPatch) -> None:
    there = importlib.util.find_spec("pymongo")
    monkeypatch.setattr(mongodb_address, "find_spec", lambda name: there)
    given: list[str] = []
    monkeypatch.setattr(mongodb, "MongoClient", lambda url, **options: given.append(url))
    mongodb.client(AWS)
    uri = parse_uri(given[0])
    assert (uri["username"], uri["password"]) == ("AKIAEXAMPLE", "s3cret/key")
    assert uri["options"]["authMechanism"] == "MONGODB-AWS"
    assert uri["options"]["authMechanismProperties"] == {"AWS_SESSION_TOKEN": "s3cret+token"}
    assert uri["options"]["authSource"] == "$external"
