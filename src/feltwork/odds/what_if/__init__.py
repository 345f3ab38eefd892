"""What-if: a paytable, the terms of its meters, and everything that follows from them."""
