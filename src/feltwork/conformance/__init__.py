"""The conformance kit: a device tested against a simulated site, and a site against a simulated device."""
