"""The table controller, and conformance tests for devices and servers."""
