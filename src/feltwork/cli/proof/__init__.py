"""Commands that prove a site: rehearsals, audit, conformance, simulation."""
