"""How fast the arena is, beside how fast gRPC alone is on the same machine."""
