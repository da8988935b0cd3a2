"""Translates the errors of click about a command line."""

import click

from keywright.errors import UsageError, quoted

from .values import Choice, display_name


def usage_error(error: click.ClickException) -> UsageError:
    """A UsageError with the message of click as a sentence and a help line."""
    context = getattr(error, "ctx", None)
    help = f"see `{context.command_path if context else 'keywright'} --help`"
    match error:
        case click.NoSuchOption():
            return UsageError(f'there is no option "{error.option_name}"', _closest(error.option_name, context) or help)
        case click.MissingParameter(param=click.Parameter() as param):
            choices = f"choices: {quoted(param.type.choices)}" if isinstance(param.type, Choice) else help
            return UsageError(f'"{display_name(param)}" is missing', choices)
        case click.BadParameter(param=click.Parameter() as param):
            return UsageError(f'"{display_name(param)}" has an invalid value: {_sentence(error.message)}', help)
    return UsageError(_sentence(error.format_message()), help)


def _sentence(text: str) -> str:
    """Message of click in keywright's style: lower case, names in double quotes, no full stop."""
    return (text[:1].lower() + text[1:]).replace("'", '"').rstrip(".")


def _closest(option: str, context: click.Context | None) -> str:
    """Suggestion of the closest option of the command; empty if none is close."""
    import difflib  # only errors need it

    names = [name for param in context.command.params for name in param.opts] if context else []
    close = difflib.get_close_matches(option, names, n=1)
    return f'did you mean "{close[0]}"?' if close else ""
