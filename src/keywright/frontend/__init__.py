"""From model files to the intermediate representation; the only reader of Pydantic beside `declare`."""
