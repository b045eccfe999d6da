"""Models of YDF: a folder of messages of Protocol Buffers."""
