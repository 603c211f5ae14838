"""A player's own data: a copy to take along, and what becomes of it when the player leaves."""
