# Tai-Sai table electronics. `make` or `make help` lists the targets.
# Needs Python 3.11 or newer, make and access to PyPI; everything else is installed into .venv.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# The interpreter that .venv is made with: PYTHON from the command line, or the first that is new enough.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$name; break; }; done)

# The commands that mend a missing tool, for its message. A Debian-like system whose python3 is too old has 3.11 beside it.
ifneq ($(shell command -v apt-get 2>/dev/null),)
INSTALL_PYTHON := sudo apt-get install $(if $(shell command -v python3 2>/dev/null),python3.11 python3.11-venv,python3 python3-venv)
INSTALL_VENV = sudo apt-get install $(notdir $(PYTHON))-venv
else ifneq ($(shell command -v dnf 2>/dev/null),)
INSTALL_PYTHON := sudo dnf install python3.11
INSTALL_VENV = $(INSTALL_PYTHON)
else ifneq ($(shell command -v brew 2>/dev/null),)
INSTALL_PYTHON := brew install python@3.13
INSTALL_VENV = $(INSTALL_PYTHON)
else
INSTALL_PYTHON := the installer from python.org
INSTALL_VENV = $(INSTALL_PYTHON)
endif

# Where the tests run in parallel: every core of this machine.
PYTEST := $(BIN)/python -m pytest -n auto

.DEFAULT_GOAL := help
.PHONY: help install run test test-core test-rp2040 lint bench soak docs wheel clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

install: $(STAMP) ## make .venv with the package (editable), the simulator and everything the tests need

$(STAMP): pyproject.toml
	@test -n "$(PYTHON)" && $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "make: Python 3.11 or newer is missing; install it with: $(INSTALL_PYTHON)" >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "make: $(PYTHON) lacks the venv module; install it with: $(INSTALL_VENV)" >&2; exit 2; }
	@echo "make: installing into $(VENV), which takes about a minute" >&2
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(STAMP)

run: install ## the table on a page in the browser: key 1 3 6 ENTRY and see the layout light up
	@$(BIN)/taisai simulate --web --open --table nz1-pico-hc595

test: install ## every test that needs no hardware
	$(PYTEST)

test-core: install ## the firmware's pure logic, under CPython and under MicroPython
	$(PYTEST) tests/core

test-rp2040: install ## the firmware on an emulated RP2040; needs TAISAI_RP2040_UF2=FILE, else reported as skipped
	$(BIN)/python -m pytest -rs tests/rp2040

lint: install ## style and import checks
	$(BIN)/ruff check .
	$(BIN)/python -m pytest -q tests/test_architecture.py

bench: install ## speed, memory and size, each against its target; fails when one is missed
	$(BIN)/python tests/bench/run.py

soak: install ## the long campaigns at full size
	TAISAI_SOAK=1 $(PYTEST) -m soak

docs: install ## write the generated parts of the READMEs anew
	$(BIN)/python -m taisai.cli.reference --write host/README.md
	$(BIN)/python -m taisai.client.reference --write firmware
	$(BIN)/python -m taisai.client.faultchart --write firmware/README.md

wheel: install ## build the wheel into dist/
	$(BIN)/python -m build --wheel

clean: ## remove .venv and everything built
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis *.egg-info
