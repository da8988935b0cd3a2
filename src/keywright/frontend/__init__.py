"""Compiles model files into the intermediate representation. Only this package and `declare` read Pydantic models."""
