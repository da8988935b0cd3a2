"""Unused keys of a stack's configuration are reported at their lines, as the stack's program rejects them."""

from pathlib import Path

import pytest
from tests.projects import errors_of, with_imports

MODELS = """
content = kw.MongoDatabase("content")

class Post(BaseModel):
    __store__: ClassVar = kw.Collection(content, "posts", id="{post_id}")
    post_id: Annotated[str, Field(max_length=20)]
"""

STACK = """\
config:
  aws:region: eu-west-1
  keywright:environment:
    mode: MODE
    mongodb: {flavour: mongodb}
  keywright:mongodbContentUri:
    secure: v1:abc
  keywright:local: "true"
  other:aloow: x
  keywright:KEY: x
"""


@pytest.mark.parametrize(
    ("mode", "key", "is_reported"),
    [
        ("dev", "mongodbUri", False),
        ("dev", "redisUri", False),
        ("dev", "mongobdUri", True),
        ("dev", "mongodbOldUri", True),
        ("gated", "mongodbOldUri", False),  # migrations may still have that store
        ("gated", "mongobdUri", True),
        ("gated", "allow", True),
    ],
)
def test_a_key_that_nothing_reads_is_reported_at_its_line(
    mode: str, key: str, is_reported: bool, tmp_path: Path
) -> None:
    stack = STACK.replace("MODE", mode).replace("KEY", key)
    errors = errors_of(tmp_path, {"models/case.py": with_imports(MODELS), "stacks/Pulumi.dev.yaml": stack})
    reported = [(error.code, error.problem.partition(";")[0], error.at.line, error.help) for error in errors]
    help = f"`pulumi config rm keywright:{key}`, or correct its name"
    assert reported == ([("E0401", f'there is no setting "keywright:{key}"', 10, help)] if is_reported else [])
