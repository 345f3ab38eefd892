"""Rounds of tables: booked in batches, and the round that a table has open."""
