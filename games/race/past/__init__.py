"""What was raced: pages of rounds that are over, replays, one's own races. Rooms are for `games.race.views`."""
