"""How the schema grows: each step runs one file of SQL, forwards only."""
