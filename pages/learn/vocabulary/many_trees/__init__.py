"""Several trees: without some rows, searched through, boosted by hand, and on bootstrap samples."""
