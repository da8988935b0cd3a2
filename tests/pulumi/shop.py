"""A small gated project with one table, changed by versions that `keywright migrate apply` lands through its stack."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.interrupts import unmeasured
from tests.projects import a_project, with_imports
from tests.pulumi.world import Said, World

FILES = {
    "Pulumi.yaml": """\
        name: small
        main: stacks
        stackConfigDir: stacks
        runtime: {name: python, options: {toolchain: pip, virtualenv: .venv}}
        plugins: {providers: [{name: keywright, path: stacks/provider}]}
    """,
    "stacks/provider/PulumiPlugin.yaml": """\
        runtime: {name: python, options: {toolchain: pip, virtualenv: ../../.venv}}
    """,
    "stacks/provider/__main__.py": "from keywright.provider import serve\n\nserve()\n",
    "pyproject.toml": """\
        [tool.keywright]
        models = ["models"]
        default-environment = "prod"
        lease-seconds = 12
    """,
    "stacks/__main__.py": "import keywright.pulumi\n\nkeywright.pulumi.provision()\n",
    "stacks/Pulumi.prod.yaml": """\
        config:
          aws:region: eu-west-1
          keywright:environment:
            mode: gated
            dynamodb: {flavour: dynamodb-local}
    """,
    "models/shop.py": with_imports(
        """
        shop = kw.DynamoTable("shop", gsis=[])


        class Order(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")
            order_id: str
            day: str | None = None
            brand: str | None = None
        """
    ),
}

CONTENT = with_imports(
    """
    content = kw.MongoDatabase("content")


    class Post(BaseModel):
        __store__: ClassVar = kw.Collection(content, "posts", id="{post_id}")
        post_id: str


    class Note(BaseModel):
        __store__: ClassVar = kw.Collection(content, "notes", id="{note_id}", indexes=[kw.Index("day")])
        note_id: str
        day: str
    """
)
"""Models of MongoDB."""

INDEX = 'kw.Gsi("{0}", pk="{1}")'

NOTES = """

notes = kw.DynamoTable("notes", gsis=[])


class Note(BaseModel):
    __store__: ClassVar = kw.Item(notes, pk="NOTE#{note_id}", sk="NOTE")
    note_id: str
    gone: Annotated[datetime | None, kw.Ttl()] = None
    over: datetime | None = None
"""
"""One more table."""


class Shop(World):
    """The project, its stack `prod`, and the cloud."""

    def prepare(self) -> None:
        """Write the project; its stack is not there yet."""
        super().prepare()
        for name in ("models", "migrations", "stacks"):
            shutil.rmtree(self.root / name)
        a_project(self.root, FILES)
        (self.root / "stacks" / "Pulumi.dev.yaml").unlink()
        wrapper = self._wrappers / "pulumi"
        wrapper.parent.mkdir()
        wrapper.write_text(f'#!/bin/sh\necho $$ > {self.pid}\nexec {shlex.quote(str(self.programs / "pulumi"))} "$@"\n')
        wrapper.chmod(0o755)

    @property
    def _wrappers(self) -> Path:
        return self.root.with_name("wrappers")

    @property
    def pid(self) -> Path:
        """Where the command line writes down which process it is."""
        return self.root.with_name("pid")

    def environment(self) -> dict[str, str]:
        """See `World.environment`; with a command line that writes down which process it is."""
        output = super().environment()
        path = os.pathsep.join([str(self._wrappers), output["PATH"]])
        return {**output, "PATH": path}

    def migrate(self, *arguments: str, **variables: str) -> Said:
        """`keywright --env prod migrate ...`."""
        return self.keywright("--env", "prod", "migrate", *arguments, **variables)

    def hash(self) -> str:
        """The hash by which what is due is approved."""
        return self.migrate("plan").text.split("--approved ")[1].split()[0]

    def index(self, name: str, attribute: str) -> None:
        """Edit the models, and write the version."""
        self.edit("models/shop.py", "gsis=[", f"gsis=[{INDEX.format(name, attribute)}, ")
        self.diff(name)

    def diff(self, text: str) -> None:
        """Write a version."""
        said = self.migrate("diff", "-m", text)
        assert said.code == 0, said.text

    @contextmanager
    def applying(self, until: str) -> "Iterator[Applying]":
        """`migrate apply` at work, once its update has said something."""
        process = subprocess.Popen(
            [sys.executable, "-m", "keywright", "--env", "prod", "migrate", "apply"], cwd=self.root,
            env=unmeasured(self.environment()), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        applying = Applying(self, process, until)
        try:
            yield applying
        finally:
            process.kill()
            process.wait()


class Applying:
    """A run of `migrate apply`, with its child."""

    def __init__(self, shop: Shop, process: "subprocess.Popen[str]", until: str) -> None:
        self._shop, self._process, self._lines = shop, process, list[str]()
        self._has_said = threading.Event()
        self._reader = threading.Thread(target=self._read, args=(until,), daemon=True)
        self._reader.start()
        assert self._has_said.wait(60), self._lines

    def _read(self, until: str) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            for line in stream:
                self._lines.append(line)
                if until in line:
                    self._has_said.set()
        self._has_said.set()

    def kill_child(self) -> None:
        """Kill its `pulumi`, and nothing else."""
        self._shop.kill(int(self._shop.pid.read_text()))

    def interrupt(self) -> None:
        """As Ctrl-C does, to the process alone."""
        self._process.send_signal(signal.SIGINT)

    def ended(self) -> Said:
        """How it ends."""
        code = self._process.wait(60)
        self._reader.join(10)
        return Said(code, "".join(self._lines))
