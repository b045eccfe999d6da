"""Page "Ensembles": many trees on one table, stage by stage, beside the single tree and the constant."""
