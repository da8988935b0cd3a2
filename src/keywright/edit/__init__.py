"""Edits of model files: fixes written where they belong, so that a formatter has nothing to change."""
