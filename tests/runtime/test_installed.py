"""Models from an installed wheel, where no pyproject.toml is near."""

import subprocess
import sys
import zipfile
from pathlib import Path
from textwrap import dedent

import pytest
from tests.projects import with_imports

PYPROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "acme"
version = "1.0"
[tool.hatch.build.targets.wheel]
packages = ["acme"]
[tool.keywright]
models = ["acme/models"]
environments = "acme/models/stacks"
"""
STACK = """\
config:
  keywright:environment:
    mode: gated
    dynamodb: {flavour: dynamodb, name-prefix: "prod-"}
"""
SHOP = """
    shop = kw.DynamoTable("shop")

    class User(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="USER#{user_id}", sk="USER")
        user_id: Annotated[str, Field(pattern="^[a-z0-9]+$")]

    user = kw.Get(User, rate="1/s")
"""
PROGRAM = """
    from importlib import import_module
    import sys
    import boto3
    from keywright import runtime

    class Recorded:
        def __init__(self, client):
            self.meta, self.exceptions = client.meta, client.exceptions
        def get_item(self, **request):
            print(request["TableName"])
            return {}

    client = boto3.client("dynamodb", region_name="eu-west-1", aws_access_key_id="k", aws_secret_access_key="s")
    client.get_item = Recorded(client).get_item
    db = runtime.open(import_module(sys.argv[1]), environment="prod", dynamodb=client)
    from acme.models import shop
    assert shop.user(db, user_id="u1") is None
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel of a project is unpacked."""
    project, site = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("site")
    for name, text in {
        "pyproject.toml": PYPROJECT,
        "acme/__init__.py": "",
        "acme/models/__init__.py": "",
        "acme/models/shop.py": with_imports(SHOP),
        "acme/models/stacks/Pulumi.prod.yaml": STACK,
    }.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel"], cwd=project, check=True, capture_output=True
    )
    (wheel,) = (project / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


@pytest.mark.parametrize("module", ["acme.models", "acme.models.shop"])
def test_a_wheel_opens_without_a_pyproject(site: Path, tmp_path: Path, module: str) -> None:
    words = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(site)!r})\n{dedent(PROGRAM)}", module]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "prod-shop\n"), done.stderr


def test_a_missing_stack_file_is_named(site: Path, tmp_path: Path) -> None:
    program = dedent(PROGRAM).replace('"prod"', '"staging"')
    words = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(site)!r})\n{program}", "acme.models"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert 'there is no environment "staging": no acme/models/stacks/Pulumi.staging.yaml' in done.stderr
