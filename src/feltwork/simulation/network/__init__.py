"""A network of sites and its hub in virtual time, with faults and its own auditor."""
