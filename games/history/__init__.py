"""What a player has played: the list, replays, statistics. Playing itself is the rest of `games`."""
