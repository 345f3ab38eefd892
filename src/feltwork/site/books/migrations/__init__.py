"""Forward-only schema migrations."""
