"""Tests of Feltwork."""

import os

# Most sites of the tests go without the PIN key; those about it unset this.
os.environ.setdefault("FELTWORK_PIN_KEY", "none")
