"""Texts that declare their columns before their rows: ARFF and KEEL, C4.5, Orange and libsvm."""
