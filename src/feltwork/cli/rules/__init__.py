"""Commands about rules: titles, paytables, deals and settlements."""
