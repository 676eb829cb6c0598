"""The command, and `python -m symtape`."""

import sys


def main() -> int:
    """Run the command line. What workers need is loaded in a process of its own, from the first moment on."""
    asks = any(sys.argv[1:2] == [command] for command in ("prove", "audit", "mutate"))
    if asks and not {"-h", "--help"} & set(sys.argv):
        from symtape.pool import prepare

        prepare()
    from symtape.cli import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
