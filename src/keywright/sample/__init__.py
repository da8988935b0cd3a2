"""Sample data for a design: seeded, bounded and streamed."""

from .as_json import to_json as to_json
from .generate import Sample as Sample
from .generate import generate as generate
from .spaces import ANCHOR as ANCHOR
