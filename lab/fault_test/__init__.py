"""The fault test: faults and attackers at a site under load, and its books beside what tables sent."""
