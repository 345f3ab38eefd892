"""Notifications of managers: the file with the recipients, the messages, and the task that sends them."""
