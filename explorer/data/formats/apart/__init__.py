"""Files whose reader is a library in C or without limits of its own: it runs in another process, which has limits."""
