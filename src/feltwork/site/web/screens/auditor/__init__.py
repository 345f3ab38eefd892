"""The auditor's screen."""
