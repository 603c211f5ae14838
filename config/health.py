"""How this process is: whether it still takes people in. What it measures and who asks stand with those who ask."""

import threading

draining = threading.Event()  # set by config/server.py: the process ends soon, and whoever comes is sent elsewhere
