"""The policies of this project: keywright's, to which more can be added."""

from keywright.policy import policies

POLICIES = policies(__file__)
