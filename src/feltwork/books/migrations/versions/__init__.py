"""The steps of the schema, one for each file of SQL."""
