"""HTML, PDF, charts, and how reports and navigation are shown."""
