"""``python -m autograder``."""

import sys

try:
    from autograder.cli import main
except ModuleNotFoundError as error:
    if (error.name or "").startswith("autograder"):
        raise
    sys.exit(f"autograder needs {error.name}, which is not installed for this Python: use .venv/bin/python.")

sys.exit(main())
