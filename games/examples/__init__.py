"""Worked examples on the rules pages: a board to step through, and to play on from."""
