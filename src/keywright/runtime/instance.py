"""The last line of what makes an instance: the model takes the values that were read."""

from pydantic import BaseModel

from .source import Source


def instance(model: type[BaseModel], source: Source) -> str:
    """Python text that makes an instance of the dict `values`.

    The values are those of a valid instance, in plain types and under `Attribute.given`: the model takes them whatever
    it says of strictness and of aliases, which is about input from elsewhere.
    """
    validate = source.use(model.model_validate, "validate")
    return f"{validate}(values, strict=False, by_alias=True, by_name=True)"
