"""Lines of the user's source, for those who see the frontend only."""

from keywright.declare.locate import place_in as place_in
