"""Reads existing keyspaces in: from a live server or from CQL files to declarations."""
