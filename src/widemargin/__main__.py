"""Let ``python -m widemargin`` do what the command ``widemargin`` does."""

from widemargin.cli.main import main

if __name__ == "__main__":
    main()
