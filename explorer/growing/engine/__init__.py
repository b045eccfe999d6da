"""The fast loops: everything that is compiled, and the pool of threads that runs it."""
