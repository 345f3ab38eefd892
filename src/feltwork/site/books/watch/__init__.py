"""What people watch: alarms, incidents, installations, notifications, webhooks and the overview."""
