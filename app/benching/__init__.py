"""How fast: games beside hand-written Python, taking turns on one core."""
