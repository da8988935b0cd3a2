"""Engine-neutral planning: conditions of patterns, access paths, costs, and the reasons for rejected candidates."""
