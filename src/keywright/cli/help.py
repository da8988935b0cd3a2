"""The program's own help, written without click, which would cost more than printing it."""

COMMANDS = {
    "init": "Write a working project, or adopt a folder of models.",
    "compile": "Turn models into artefacts for each engine.",
    "check": "Report what is wrong with the models.",
    "patterns": "Show by what each access pattern is served, and its cost.",
    "prove": "Run each access pattern on a real server and judge it.",
    "local": "Start and stop real servers on this machine.",
    "apply": "Create what is missing, then prove that it is there.",
    "migrate": "Versioned migrations: write, judge, plan and apply them.",
    "drift": "Compare live stores with the versions that they should have.",
    "pr": "Tell what a branch does, for who reviews it.",
    "guard": "Judge a Pulumi preview before it is carried out.",
    "pulumi": "Join an existing Pulumi program; import existing stores.",
    "inspect": "Show what a live store holds.",
    "sample": "Generate data that fits the models.",
    "monitor": "Write alerts and alarms, with tests.",
    "rules": "List every code: rules, errors, what is asked when.",
    "explain": "Print the page of an error code.",
    "completion": "Print the completion script of a shell.",
}
"""Every command with its short help, in the order of a day's work; each lives in the module of its name."""

OPTIONS = {
    "--project DIR": "Folder of the project; by default the nearest one above.",
    "--env ENV": "Environment; by default the project's default one.",
    "--color WHEN": "When to colour the output: auto, always or never.",
    "-q, --quiet": "Say only what is wrong.",
    "-v, --verbose": "Say every step.",
    "--version": "Show the version and exit.",
    "-h, --help": "Show this message and exit.",
}
"""The common options, which every command takes after its name too."""

_HEAD = """\
Usage: keywright [OPTIONS] COMMAND [ARGS]...

  One typed data model for DynamoDB, MongoDB, Cassandra and Redis.

  keywright init shop && cd shop     a project to start from
  keywright compile                  artefacts in build/dev/
  keywright local up                 the real servers, on loopback
  keywright apply --local            create everything, read it back
  keywright prove --local            prove every access pattern

  `keywright COMMAND --help` tells more about a command.
"""


def text() -> str:
    """The whole help."""
    parts = [_HEAD, "Options:", *_rows(OPTIONS), "", "Commands:", *_rows(COMMANDS)]
    return "\n".join(parts)


def _rows(table: dict[str, str]) -> list[str]:
    width = max(map(len, table))
    return [f"  {name:{width}}  {help}" for name, help in table.items()]
