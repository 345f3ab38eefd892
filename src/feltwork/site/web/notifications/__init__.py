"""Notifications to managers: the recipients file, the messages, and the task that sends them."""
