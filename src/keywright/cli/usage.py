"""What click finds wrong with a command line, in keywright's own words."""

import click

from keywright.errors import UsageError, quoted

from .values import OneOf, called


def usage_error(error: click.ClickException) -> UsageError:
    """The same complaint as one sentence and a help line."""
    context = getattr(error, "ctx", None)
    more = f"`{context.command_path if context else 'keywright'} --help` tells more"
    match error:
        case click.NoSuchOption():
            return UsageError(f'there is no option "{error.option_name}"', _closest(error.option_name, context) or more)
        case click.MissingParameter(param=click.Parameter() as param):
            known = f"known: {quoted(param.type.choices)}" if isinstance(param.type, OneOf) else more
            return UsageError(f'"{called(param)}" is missing', known)
        case click.BadParameter(param=click.Parameter() as param):
            return UsageError(f'"{called(param)}" cannot be that: {_sentence(error.message)}', more)
    return UsageError(_sentence(error.format_message()), more)


def _sentence(text: str) -> str:
    """What click says, as we write it: lower case, names in double quotes, no full stop."""
    return (text[:1].lower() + text[1:]).replace("'", '"').rstrip(".")


def _closest(option: str, context: click.Context | None) -> str:
    """The option of the command that is closest to what was written; nothing if none is close."""
    import difflib  # needed only when something is wrong

    known = [name for param in context.command.params for name in param.opts] if context else []
    close = difflib.get_close_matches(option, known, n=1)
    return f'did you mean "{close[0]}"?' if close else ""
