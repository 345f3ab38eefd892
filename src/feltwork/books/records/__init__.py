"""Records that a regulator asks for: incidents, installations, alarms, retention."""
