"""What races add where everything of a player is kept, told or checked (games/parts.py). The races are not here."""
