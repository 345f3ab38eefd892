"""A network of sites and its hub in virtual time, with faults, and an auditor of its own."""
