"""Awards: claims, confirmation, payment, payout records and documents."""
