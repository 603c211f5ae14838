"""The patience games: engine, deals, attempts and the live table. Who is playing lives in `accounts`."""
