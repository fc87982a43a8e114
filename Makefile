# koth: `make` lists what there is to do. Nothing to prepare: whatever needs the environment in
# .venv makes it first, once.

SHELL := /bin/sh
BIN := .venv/bin

PYTHON ?=
GAME ?= pazaak
export BOT GAME

# Everything but these runs in the environment. A goal's prerequisites are read before its recipe
# runs, so what is missing is said here, in one line, before anything is installed.
GOALS := $(or $(MAKECMDGOALS),help)
ifneq ($(filter-out help clean,$(GOALS)),)
FOUND := $(shell sh setup/find-python '$(PYTHON)')
ifneq ($(firstword $(FOUND)),ok)
$(error $(or $(FOUND),setup/find-python failed))
endif
INTERPRETER := $(wordlist 4,$(words $(FOUND)),$(FOUND))
endif

ifneq ($(filter check,$(GOALS)),)
ifeq ($(strip $(BOT)),)
$(error Say which bot: make check BOT=NAME, a display name, a file name without .py or a path)
endif
endif

# Stamps, named by what they stand for and written last: an interrupted set-up leaves none, and is
# done again from the start. The locked packages and the project have one each, because the second
# changes more often and takes a second.
DEPENDENCIES := .venv/.dependencies-$(word 2,$(FOUND))
READY := .venv/.ready-$(word 3,$(FOUND))

.PHONY: help
help: ## List what there is to do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile
	@echo "PYTHON=python3.12 chooses the Python that .venv is made with."

.PHONY: setup
setup: $(READY) ## Make the environment .venv with the locked packages and the command koth

.PHONY: cup
cup: $(READY) ## Play the official Pazaak Cup, for the leaderboard in results/ [GAME=spades]
	$(BIN)/koth cup "$$GAME"

.PHONY: league
league: $(READY) ## Play the official Pazaak league, for the one beside it [GAME=spades]
	$(BIN)/koth league "$$GAME"

.PHONY: tables
tables: $(READY) ## Play at tables of several: make tables GAME=bs, or azi, or spades
	$(BIN)/koth tables "$$GAME"

.PHONY: hunt
hunt: $(READY) ## Hunt for the longest game of Camicia
	$(BIN)/koth hunt

.PHONY: check
check: $(READY) ## Try a bot out: make check BOT=bots/pazaak/name.py [GAME=pazaak]
	$(BIN)/koth check "$$GAME" "$$BOT"

# A file's tests stay together: they share what is slow to make.
SIDE_BY_SIDE := --numprocesses 2 --dist loadfile

.PHONY: test
test: $(READY) ## Run the tests, but for the slow ones
	$(BIN)/python -m harness.arena.compiling
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) -m "not slow"

.PHONY: test-all
test-all: $(READY) ## Run all tests
	$(BIN)/python -m harness.arena.compiling
	$(BIN)/python -m pytest $(SIDE_BY_SIDE)

.PHONY: lint
lint: $(READY) ## Look for mistakes and style: ruff, and mypy --strict on the harness
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

.PHONY: bench
bench: $(READY) ## Measure the figures, each beside its peer
	$(BIN)/python -m benchmarks

# One version of each package for all Pythons ("fewest"), so that results do not depend on the
# Python they were made with. Pins that still fit pyproject.toml stay; UPGRADE=1 takes the newest.
UV_VERSION := 0.13.9

.PHONY: lock
lock: ## Make requirements.lock anew from pyproject.toml [UPGRADE=1]
	@set -e; tools=$$(mktemp -d); trap 'rm -rf "$$tools"' EXIT; \
	"$(INTERPRETER)" -m venv "$$tools"; \
	"$$tools/bin/python" -m pip install --quiet uv==$(UV_VERSION); \
	"$$tools/bin/uv" pip compile pyproject.toml --group dev --output-file requirements.lock \
		--universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
		--no-config --no-emit-index-url --no-emit-find-links \
		--custom-compile-command "make lock" --quiet $(if $(UPGRADE),--upgrade)

.PHONY: clean
clean: ## Remove .venv and whatever was built or cached; results stay
	rm -rf .venv build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find harness bots benchmarks tests -name __pycache__ -prune -exec rm -rf {} +

# Only wheels whose hashes the lock knows: nothing is built, and nothing else is fetched.
$(DEPENDENCIES):
	@echo "Making .venv with $(INTERPRETER), once; it takes about a minute."
	@rm -f .venv/.dependencies-* .venv/.ready-*
	@"$(INTERPRETER)" -m venv --clear .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--require-hashes --only-binary :all: --requirement requirements.lock
	@touch $@

$(READY): $(DEPENDENCIES)
	@rm -f .venv/.ready-*
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--no-deps --no-build-isolation --editable .
	@touch $@
