"""An optional base class for models; any BaseModel can be a model."""

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A BaseModel that builds its validator on first use, so that importing many models is fast."""

    model_config = ConfigDict(defer_build=True)
