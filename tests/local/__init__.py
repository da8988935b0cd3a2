"""Tests of `keywright.local`: programs are small scripts, and no test needs a real server or a network."""
