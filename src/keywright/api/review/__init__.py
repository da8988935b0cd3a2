"""A branch compared with its merge base, for reviewers."""
