"""`python -m tests.pulumi.demo`: the last part of the demo, a stack of the example on the servers that run.

A copy of the project gets a stack of its own, with names of its own, by the commands that a user types. The provider of
AWS is a stand-in, over DynamoDB Local.
"""

import json
import shlex
import shutil
import subprocess
import sys

from keywright.project.settings import read_settings

from . import program
from .world import ROOT, World

COMMANDS = """\
pulumi stack init dev
pulumi config set keywright:local true
pulumi config set aws:region us-east-1
pulumi up --yes --skip-preview
pulumi up --yes --skip-preview --expect-no-changes
"""


def main() -> int:
    """Run the commands; the exit code is that of the first that failed."""
    programs = program.found()
    if programs is None:
        return _without_pulumi()
    state = read_settings(str(ROOT)).state
    folder = state / "demo"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    world = World(folder / "shop", programs, _url())
    world.prepare()
    (world.root / ".keywright").symlink_to(state)
    file = world.root / "stacks" / "Pulumi.dev.yaml"
    file.write_text(file.read_text().replace("dev-", "demo-").replace("dev_", "demo_"))
    account = {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}
    for command in COMMANDS.splitlines():
        print(f"\n== a stack of everything: {command}", flush=True)
        done = subprocess.run(
            [*shlex.split(command), "--non-interactive"],
            cwd=world.root,
            env={**world.environment(), **account},
            check=False,
        )
        if done.returncode:
            return done.returncode
    return 0


def _without_pulumi() -> int:
    """List the resources that the stack's program registers, which needs the SDK only."""
    print("\n== a stack of everything: the program stacks/__main__.py asks for these resources", flush=True)
    command = [sys.executable, "-m", "tests.pulumi.recorded", "dev"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return done.returncode
    resources = json.loads(done.stdout)["resources"]
    for resource in resources:
        print(f"  + {resource['type']:36} {resource['name']}")
    print(f"{len(resources)} resources, which `pulumi up` creates; {program.HINT}")
    return 0


def _url() -> str:
    """Where DynamoDB Local is."""
    done = subprocess.run(
        [sys.executable, "-m", "keywright", "local", "env"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    )
    parts = dict(line.removeprefix("export ").split("=", 1) for line in done.stdout.splitlines())
    return parts["AWS_ENDPOINT_URL_DYNAMODB"]


if __name__ == "__main__":
    sys.exit(main())
