"""Sample data for a design: reproducible, bounded and streamed."""

from .as_json import to_json as to_json
from .generate import GeneratedInstance as GeneratedInstance
from .generate import generate as generate
from .spaces import ANCHOR as ANCHOR
