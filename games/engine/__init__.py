"""The rules of patience, pure: no Django, clock, randomness, input or output, logging or translation."""
