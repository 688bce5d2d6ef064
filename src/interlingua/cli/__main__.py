"""`python -m interlingua.cli` is the command `interlingua`."""

from interlingua.cli import main

if __name__ == "__main__":
    main()
