"""How a pattern is served: what it asks, by which key or index it is answered, at what cost, and why not."""
