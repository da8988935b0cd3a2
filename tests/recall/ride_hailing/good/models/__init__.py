"""Data of a ride-hailing company: twelve million trips a day in four hundred cities."""
