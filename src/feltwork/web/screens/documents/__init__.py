"""Printed documents."""
