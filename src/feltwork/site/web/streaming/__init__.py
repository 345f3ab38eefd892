"""Live updates of meters and sensors, from the books and from NATS to the screens."""
