"""Metrics for Prometheus, and one structured log line for each request."""
