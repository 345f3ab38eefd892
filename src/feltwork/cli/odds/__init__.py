"""Commands about odds: figures, reports, what-if and certificates."""
