"""The command `python -m explorer`."""

import sys

from explorer.commands.grow import main

if __name__ == "__main__":
    sys.exit(main())
