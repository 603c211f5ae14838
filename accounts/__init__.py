"""Who is playing: members, guests, and how a guest becomes a member. Knows nothing of games."""
