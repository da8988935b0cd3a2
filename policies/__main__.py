"""Serves the policies to the engine."""

from pack import POLICIES
from pulumi_policy import PolicyPack

PolicyPack("keywright", POLICIES)  # serves until Pulumi ends it: nothing may stand behind it
