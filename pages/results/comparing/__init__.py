"""Trees side by side: as they are pruned for it, and where and how far they differ."""
