"""Records for the regulator: incidents, installations, alarms, record retention."""
