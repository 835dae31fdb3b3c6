"""Run the command line as `python -m amber_wrap`."""

from amber_wrap.cli import main

if __name__ == "__main__":
    main()
