"""The script that a frozen program begins with."""

from tilelab.__main__ import main

if __name__ == "__main__":
    main()
