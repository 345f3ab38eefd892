"""The controller at a table: sensors, buttons, and rounds that are numbered without a gap."""
