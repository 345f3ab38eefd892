"""What cards are called and which beat which."""
