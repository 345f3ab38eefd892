"""Tables: rounds, controllers and their messages, corrections, and sign-ons."""
