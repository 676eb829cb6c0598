"""`python -m symtape`."""

import sys

from symtape.cli import main

if __name__ == "__main__":
    sys.exit(main())
