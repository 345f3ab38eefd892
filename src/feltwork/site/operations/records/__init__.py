"""Records: incidents, installations, alarms, and the audit."""
