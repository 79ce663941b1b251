# `make` alone lists the targets. Needs Python 3.11 or newer with venv and pip, git and make.

PYTHON ?= python3
# Each other Python has an environment of its own beside that of `python3`.
VENV := .venv$(if $(filter-out python3,$(PYTHON)),-$(shell $(PYTHON) -c \
	'import sys; print("%d.%d" % sys.version_info[:2])'))
BIN := $(VENV)/bin
ARGS ?=
CATALOGUES := $(wildcard src/yachtdice/i18n/locale/*/LC_MESSAGES/*.po)
# The tests that have to cover these packages wholly; presets are part of the rules there.
CORE := tests/rules tests/notation tests/presets
# What depends most on the version of Python.
BASE := tests/dice_source tests/names tests/play tests/store
PARALLEL := --numprocesses auto --dist worksteal
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Tests start many processes: each module is compiled once.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play test test-system test-python check fix bench soak docs golden messages screenshots averages lock clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 20

play: $(VENV)/play ## open a table in the browser, until Ctrl-C; ARGS="--port 8000" is passed on
	@$(BIN)/yacht serve --open $(ARGS)

test: $(VENV)/dev ## run the tests; rules and notation must be covered wholly
	$(BIN)/pytest $(PARALLEL) $(CORE) --cov
	$(BIN)/pytest $(PARALLEL) --durations 10 $(addprefix --ignore=,$(CORE))
	@echo "Not run: what starts servers, browsers or databases (make test-system),"
	@echo "         and what takes minutes (make soak)."
	@$(BIN)/python -m tests.programs

test-system: $(VENV)/dev ## run the tests that start servers, browsers or databases, or break them
	$(BIN)/pytest $(PARALLEL) --durations 10 -m 'system and not soak' $(ARGS)
	@$(BIN)/python -m tests.programs

test-python: $(VENV)/dev ## run what depends most on the version of Python; PYTHON=python3.13 chooses one
	$(BIN)/pytest $(PARALLEL) $(CORE) $(BASE) $(ARGS)

check: $(VENV)/dev ## look for faults of form, type and layering
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/mypy --python-version 3.14 # finds what Python has removed since the oldest version
	$(BIN)/lint-imports --no-logo

fix: $(VENV)/dev ## format the code and mend what ruff can mend
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/dev ## time what ought to be quick
	$(BIN)/pytest benchmarks -p benchmark -m '' --benchmark-only $(ARGS)

soak: $(VENV)/dev ## run the tests that take minutes
	$(BIN)/pytest -m soak --hypothesis-profile soak $(PARALLEL) $(ARGS)

docs: $(VENV)/dev ## build the documentation with its reference in build/docs; its examples are run
	$(BIN)/pytest -q tests/project/test_examples.py -k on_a_page
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs build/docs $(ARGS)
	@echo "Open build/docs/index.html"

golden: $(VENV)/dev ## write the expected texts in tests/golden anew; read the diff
	$(BIN)/pytest tests --update-golden $(ARGS)

messages: $(VENV)/dev ## bring the catalogues up to the messages in the code
	$(BIN)/pybabel -q extract --mapping-file tools/babel.cfg --output-file $(VENV)/messages.pot \
		--keywords gettext_noop --keywords pgettext_noop:1c,2 --add-comments Translators: --add-location file --sort-by-file \
		--project yacht-dice --copyright-holder "The yacht-dice authors" src
	$(BIN)/python tools/contexts.py $(VENV)/messages.pot
	for catalogue in $(CATALOGUES); do \
		msgmerge --quiet --update --backup=none --no-fuzzy-matching $$catalogue $(VENV)/messages.pot && \
		msgattrib --no-obsolete --output-file $$catalogue $$catalogue || exit 1; \
	done

screenshots: $(VENV)/dev ## take the pictures in docs/screenshots; ARGS=FOLDER takes every page in every language there
	$(BIN)/python tools/screenshots.py $(ARGS)

averages: $(VENV)/dev ## compute what each of the computer's levels scores on average
	$(BIN)/python tools/averages.py

lock: $(VENV)/lock ## bring constraints.txt up to pyproject.toml; ARGS=--upgrade takes the newest
	$(BIN)/uv pip compile pyproject.toml --output-file constraints.txt $(ARGS) --quiet \
		--universal --python-version 3.11 --all-extras --group build --group docs --group lock \
		--generate-hashes --only-binary :all: --no-config --custom-compile-command 'make lock'

clean: ## remove everything that was made here
	rm -rf .venv .venv-* build dist .benchmarks .coverage .coverage.* .hypothesis .import_linter_cache \
		.mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

# The files below say what $(VENV) holds, so that a second `make play` starts at once.
# The project itself cannot carry a hash: it comes last, and pip may fetch nothing for it.
# Wheels only, since building a source would fetch its build tools unchecked.
define install
	@echo "Setting up $(VENV) for: $(1)"
	@$(BIN)/python tools/locked.py $(1) > $@.txt
	@$(BIN)/pip install -qq --require-hashes --only-binary :all: --requirement $@.txt
endef
define install_project
	@$(BIN)/pip install -qq --no-deps --no-build-isolation --editable .
	@touch $@
endef

$(VENV)/play: pyproject.toml constraints.txt $(CATALOGUES) | $(BIN)/python
	$(call install,base build web)
	$(install_project)

$(VENV)/dev: pyproject.toml constraints.txt $(CATALOGUES) | $(BIN)/python
	$(call install,base build all dev docs)
	$(install_project)

$(VENV)/lock: | $(BIN)/python
	$(call install,lock)
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
		"yacht-dice needs Python 3.11 or newer, as in: make PYTHON=python3.13")'
	@$(PYTHON) -m venv $(VENV)
