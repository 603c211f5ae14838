"""How the site is put together: settings, addresses, server. No app imports it."""
