"""Random games by the thousand: one cell of a grid after the other, on one core, many, or a cluster."""
