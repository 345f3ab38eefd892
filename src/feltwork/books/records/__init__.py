"""Records for the regulator: incidents, installations, alarms, retention."""
