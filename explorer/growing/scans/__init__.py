"""Scans of one column at a node: the best threshold among its sorted keys, whatever a key and a row's weight are."""
