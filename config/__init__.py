"""How the site is put together: settings, addresses, server. Nothing imports it."""
