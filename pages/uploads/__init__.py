"""Files that readers give to the app: kept on the server's disk, found again by their browser, read in the job pool."""
