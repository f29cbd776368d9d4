"""``python -m graphscore``."""

from graphscore.cli.main import main

if __name__ == "__main__":
    main()
