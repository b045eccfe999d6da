"""The server's memory: how large a result is, how much of the machine may be used, and which sessions have ended."""
