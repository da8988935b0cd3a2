"""The recipes, one for each local server."""
