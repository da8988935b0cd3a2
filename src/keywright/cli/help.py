"""The help of the program, written without click because importing click takes longer than printing."""

COMMANDS = {
    "init": "Write a working project, or adopt a folder of models.",
    "adopt": "Write models for existing stores and schema files.",
    "compile": "Turn models into artefacts for each engine.",
    "check": "Report compile errors and findings in the models.",
    "patterns": "Show the access path and cost of each access pattern.",
    "prove": "Verify each access pattern on a real server.",
    "local": "Start and stop real servers on this machine.",
    "apply": "Create missing objects, then verify them.",
    "migrate": "Migrations: write, lint, plan and apply them.",
    "drift": "Compare live stores with their migrations.",
    "pr": "Summarise a branch's changes for reviewers.",
    "guard": "Check a Pulumi preview for changes that lose data.",
    "pulumi": "Add keywright to a Pulumi program; import existing stores.",
    "inspect": "Show the structure of live stores.",
    "sample": "Generate sample data for the models.",
    "monitor": "Generate alerting rules and alarms, with tests.",
    "rules": "List the codes of all rules and errors.",
    "explain": "Print the page of a code.",
    "completion": "Print the completion script of a shell.",
}
"""Commands with their short help, in the usual order of use; each is in the module of its name."""

OPTIONS = {
    "--project DIR": "Folder of the project; by default searched upwards.",
    "--env ENV": "Environment; by default the project's default environment.",
    "--color WHEN": "When to colour the output: auto, always or never.",
    "-q, --quiet": "Print only errors and findings.",
    "-v, --verbose": "Print every step.",
    "--version": "Show the version and exit.",
    "-h, --help": "Show this message and exit.",
}
"""The common options, which every command accepts too."""

_HEAD = """\
Usage: keywright [OPTIONS] COMMAND [ARGS]...

  One typed data model for DynamoDB, MongoDB, Cassandra and Redis.

  keywright init shop && cd shop     a project to start from
  keywright compile                  artefacts in build/dev/
  keywright local up                 the real servers, on loopback
  keywright apply --local            create everything, read it back
  keywright prove --local            prove every access pattern

  `keywright COMMAND --help` describes a command.
"""


def text() -> str:
    """Help of the program."""
    parts = [_HEAD, "Options:", *_rows(OPTIONS), "", "Commands:", *_rows(COMMANDS)]
    return "\n".join(parts)


def _rows(table: dict[str, str]) -> list[str]:
    width = max(map(len, table))
    return [f"  {name:{width}}  {help}" for name, help in table.items()]
