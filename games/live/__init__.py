"""What one process holds in memory while people play. Nothing here is ever the truth: the log is."""
