"""The process that books deliveries in batches, one writer per link."""
