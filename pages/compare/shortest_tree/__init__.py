"""The shortest consistent tree beside ID3's: the search, its sentences, and the parts of its inspector."""
