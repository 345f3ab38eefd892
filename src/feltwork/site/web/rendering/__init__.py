"""HTML, PDF, charts, and the formatting of reports and navigation."""
