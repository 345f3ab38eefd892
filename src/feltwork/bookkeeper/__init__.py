"""From the wire into the books: batches, one writer a link, acknowledged after the commit."""
