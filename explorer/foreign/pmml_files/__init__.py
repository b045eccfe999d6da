"""Trees and ensembles in PMML files, whichever program wrote them."""
