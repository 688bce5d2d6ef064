# make hello   ask the local model for one sentence
# make test    run the tests
# make check   lint, types, import rules, the site
# make docs    serve the site while you write
# make bench   measure against the vendors' SDKs, and renew the page about it

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
LOG    := $(VENV)/install.log
HELLO  := -e '.[cli,local]'

export NO_MKDOCS_2_WARNING := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore

.PHONY: hello test check docs bench
.DEFAULT_GOAL := hello

hello: $(VENV)/.hello
	@$(BIN)/interlingua ask "Say hello in one short sentence." </dev/null

test: $(VENV)/.dev
	@$(BIN)/python -m pytest -q -n 2

check: $(VENV)/.dev
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/pyright
	@$(BIN)/lint-imports
	@$(BIN)/mkdocs build --strict --quiet

docs: $(VENV)/.dev
	@$(BIN)/mkdocs serve

bench: $(VENV)/.dev
	@$(BIN)/python -m tests.benchmarks tests/benchmarks/last.json docs/samples/benchmarks.md

# $(call install,what,pip's arguments): one line of progress, one line when it fails.
define install
@echo "Installing $(1) into $(VENV) (once)"
@$(BIN)/python -m pip install -q --retries 2 $(2) >$(LOG) 2>&1 || { \
	test -z "$$CI" || cat $(LOG) >&2; \
	echo "Could not install $(1): $$(grep -o -m1 'ERROR.*' $(LOG) || echo 'pip failed'). Is there a network? All of pip's words: $(LOG)" >&2; \
	exit 1; }
endef

$(VENV)/.hello: pyproject.toml $(VENV)/pyvenv.cfg
	$(call install,interlingua,$(HELLO))
	@touch $@

# --group needs pip 25.1, newer than what older Pythons put into a virtual environment.
$(VENV)/.dev: pyproject.toml $(VENV)/pyvenv.cfg
	$(call install,pip,'pip>=25.1')
	$(call install,interlingua and its tools,-e . --group dev)
	@touch $(VENV)/.hello $@

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "interlingua needs Python 3.11 or newer, and $(PYTHON) is not; PYTHON=... chooses another" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) cannot make virtual environments; on Debian and Ubuntu, install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -f $@; exit 1; }
