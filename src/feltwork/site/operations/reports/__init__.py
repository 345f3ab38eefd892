"""Reports: one block of SQL and one `Report` each."""
