"""Measures how fast Lilypad is, beside a bare echo and the usual way to write it: `bin/bench`. Nothing imports it.

asgi     what the measured server runs: the site, and beside it its rivals
rivals   the echo and the naive path
site     the server process, and who is in its database
players  the load client: sockets that play recorded games
load     moves a second and time to an acknowledgement
races    time until the rival's page hears of a card
rules    what the engine costs, and rebuilding a game from its log
pages    what a page's first load weighs
report   figures as tables of Markdown
"""
