"""Source code of new model files, from a design: the inverse of the frontend."""
