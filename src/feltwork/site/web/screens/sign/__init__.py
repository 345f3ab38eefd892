"""Signs."""
