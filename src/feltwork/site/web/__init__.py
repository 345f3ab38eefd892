"""The service: HTTP around the books, for tables, pits, offices and signs."""
