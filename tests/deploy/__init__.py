"""The container's files: the steps of the image run in a clean folder, without Docker."""
