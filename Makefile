# Everything runs in .venv, which the first target that needs it makes.
#   PYTHON     the interpreter that makes .venv           make test PYTHON=python3.12
#   PIP_FLAGS  passed on to every pip install             make grade PIP_FLAGS='--extra-index-url URL'
#   A          the assignment to grade: a1 ..., or all    make grade A=a1

PYTHON ?= python3
PIP_FLAGS ?=
A ?= a1

VENV := .venv
PY := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts/python.exe,bin/python)
INSTALL = $(PY) -m pip install --disable-pip-version-check $(PIP_FLAGS) -c constraints.txt

# Short names: solutions/a1_convolution is a1.
NAMES = $(if $(filter all,$(A)),$(patsubst solutions/%/assignment.toml,%,$(sort $(wildcard solutions/*/assignment.toml))),$(A))
ASSIGNMENTS = $(foreach name,$(NAMES),$(firstword $(subst _, ,$(name))))

.PHONY: help grade test quick lint build constraints clean
.DELETE_ON_ERROR:

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

grade: $(VENV)/core ## grade the demo class of assignment A (a1): a table, and a report in build/grades
	@set -e; for a in $(ASSIGNMENTS); do \
		$(PY) -m autograder demo $$a -o build/demo; \
		$(PY) -m autograder grade $$a build/demo/$$a -o build/grades/$$a; \
	done

test: $(VENV)/full ## run the project's tests
	$(PY) -m pytest -n auto --dist worksteal

quick: $(VENV)/full ## the tests that take seconds
	$(PY) -m pytest -n auto --dist worksteal -m "not slow and not attacks and not long"

lint: $(VENV)/full ## style, types, and that everything generated is fresh
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -m autograder build --check

build: $(VENV)/full ## generate stubs and notebooks from solutions/
	$(PY) -m autograder build

constraints: $(VENV)/full ## rewrite constraints.txt from what .venv holds
	$(INSTALL) -e ".[lab,dev]"
	$(PY) -c "$$WRITE_CONSTRAINTS"

clean: ## remove build/ and caches, but not .venv
	rm -rf build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

# pip runs again only when the requirements have changed.
$(VENV)/core: pyproject.toml constraints.txt | $(PY)
	$(INSTALL) -e .
	@touch $@

$(VENV)/full: pyproject.toml constraints.txt | $(PY)
	$(INSTALL) -e ".[lab,dev]"
	@touch $(VENV)/core $@

$(PY):
	@command -v "$(PYTHON)" >/dev/null || { echo "There is no $(PYTHON) here; set PYTHON=python3.12." >&2; exit 1; }
	@"$(PYTHON)" -c "$$CHECK_PYTHON"
	@rm -rf $(VENV)
	"$(PYTHON)" -m venv $(VENV)

# In words that every Python can parse, since it may be any.
define CHECK_PYTHON
import sys
found = sys.version.split()[0]
if sys.version_info < (3, 11):
    sys.exit("Python 3.11 or newer is needed; found %s; set PYTHON=python3.12." % found)
try:
    import ensurepip, venv
except ImportError:
    sys.exit("Python %s cannot make virtual environments; on Debian and Ubuntu: apt install python3-venv." % found)
endef
export CHECK_PYTHON

# Public versions only: a local one (2.13.0+cpu) and CUDA's own packages would tie the file to one kind of machine.
define WRITE_CONSTRAINTS
import re
from importlib.metadata import distributions
from pathlib import Path
file = Path('constraints.txt')
head = file.read_text(encoding='utf-8').split('\n\n')[0]
found = {re.sub('[-_.]+', '-', d.name).lower(): d.version.split('+')[0] for d in distributions()}
skip = re.compile('autograder|pip|triton|(nvidia|cuda)-.*')
pins = [f'{name}=={version}' for name, version in sorted(found.items()) if not skip.fullmatch(name)]
file.write_text('\n'.join([head, '', *pins, '']), encoding='utf-8', newline='\n')
endef
export WRITE_CONSTRAINTS
