# Every target sets up what it needs; `make demo` is where to start. Needs Python 3.11 to 3.13; Maven for two servers.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PYTEST := $(BIN)/python -m pytest -q
OFFLINE := -m "not live" -n 2 --dist loadfile --durations=20
LIVE := -m live --durations=20
ALONE := -m live --last-failed --last-failed-no-failures none --maxfail 3 -rp
FIGHTS := tests/live/test_lock.py
SWEEPS = $(shell grep -l '@drawn' tests/live/test_*.py)
STACKS := -n 2 --dist loadfile tests/pulumi

.PHONY: help setup demo test coverage check offline live e2e chaos truth pulumi-cli promtool actionlint golden browser redis-server recall bench clean

help:  ## Show the targets.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(READY)  ## Create .venv with everything.

$(READY): requirements.lock pyproject.toml .python-finder
	@python=$$(sh .python-finder) && \
	{ test -x $(BIN)/python || "$$python" -m venv $(VENV) || \
	  { echo "error: $$python cannot make a virtual environment; Debian and Ubuntu: apt-get install python3-venv" >&2; exit 3; }; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==0.13.9
	@$(BIN)/uv pip install --quiet --require-hashes -r requirements.lock
	@$(BIN)/uv pip install --quiet --no-deps --no-build-isolation -e .
	@touch $(READY)

demo: setup  ## Compile the worked example, apply it to four real servers and prove it.
	@$(BIN)/python demo.py

test: offline live  ## Run every test; real servers where they can be had.

offline: setup  ## Run the tests that need no server.
	@$(PYTEST) $(OFFLINE)

live: setup  ## Run the tests that need real servers; what fails beside others is tried once more, alone.
	@$(PYTEST) $(LIVE) --ignore=tests/pulumi --ignore=$(FIGHTS) -n 2 --dist loadfile || \
	  { test $$? = 1 && $(PYTEST) $(ALONE) --ignore=tests/pulumi --ignore=$(FIGHTS); }
	@$(PYTEST) $(LIVE) $(FIGHTS)
	@$(PYTEST) $(LIVE) $(STACKS) || { test $$? = 1 && $(PYTEST) $(ALONE) tests/pulumi; }

e2e: pulumi-cli  ## Run the tests of stacks alone: the real Pulumi, real servers.
	@KEYWRIGHT_REQUIRE_ENGINES=all $(PYTEST) $(LIVE) $(STACKS)

coverage: setup  ## Run every test and measure branches: 93 % at least; twice the time of `make test`.
	@rm -f .coverage .coverage.*
	@KEYWRIGHT_REQUIRE_ENGINES=all $(MAKE) --silent test PYTEST="$(BIN)/coverage run -m pytest -q"
	@$(BIN)/coverage combine --quiet && $(BIN)/coverage report --fail-under=93 --format=total

check: setup  ## Lint, types, layers.
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/lint-imports --no-logo | tail -n 4
	@$(BIN)/mypy
	@$(BIN)/pyright

chaos: pulumi-cli  ## Fight for locks, die at every moment, stop every server, then two hours at random; three hours.
	@KEYWRIGHT_CHAOS=1 KEYWRIGHT_REQUIRE_ENGINES=all $(PYTEST) -m live tests/live/test_lock.py \
	  tests/live/test_migrate_crash.py tests/live/test_migrate_outside.py tests/live/test_backfill_killed.py \
	  tests/live/test_server_stopped.py tests/pulumi/test_interrupted.py
	@$(BIN)/python -m tests.chaos --minutes 120

truth: setup  ## Try servers with twenty times as many drawn examples as `make live`; two hours.
	@KEYWRIGHT_EXAMPLES=20 KEYWRIGHT_REQUIRE_ENGINES=all $(PYTEST) $(LIVE) -n 2 --dist loadfile $(SWEEPS)

pulumi-cli: setup  ## Build the Pulumi command line from Go modules, if there is none: some minutes, once.
	@$(BIN)/python -m tests.pulumi.program

promtool: setup  ## Build promtool from Go modules, if there is none: some two minutes, once.
	@$(BIN)/python -m tests.monitoring.promtool

actionlint: setup  ## Build actionlint from its Go module, if there is none: some seconds, once.
	@$(BIN)/python -m tests.workflows.actionlint

golden: setup  ## Rewrite the expected outputs after a change that was meant.
	@$(PYTEST) -m "not live" --update-goldens

browser:  ## Get the Chromium that looks at the access matrix, if there is none and apt-get may install it.
	@command -v chromium-headless-shell chromium google-chrome >/dev/null || test -n "$${KEYWRIGHT_CHROMIUM:-}" || \
	{ apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium-headless-shell; } >/dev/null || \
	{ echo "error: no Chromium could be got; install one, or name it by KEYWRIGHT_CHROMIUM" >&2; exit 3; }

redis-server:  ## Get the redis-server that tests use beside Valkey, if there is none and apt-get may install it.
	@command -v redis-server >/dev/null || test -n "$${KEYWRIGHT_TEST_REDIS_SERVER:-}" || \
	{ apt-get update -qq && apt-get install -y -qq --no-install-recommends redis-server; } >/dev/null || \
	{ echo "error: no redis-server could be got; install one, or name it by KEYWRIGHT_TEST_REDIS_SERVER" >&2; exit 3; }

recall: setup  ## Print how many planted mistakes the rules name, and how many findings are wrong.
	@$(BIN)/python -m tests.recall

bench: setup  ## Print the ratios of docs/benchmarks.md.
	@$(BIN)/python -m benchmarks
	@$(BIN)/python -m benchmarks.checking
	@$(BIN)/python -m benchmarks.marshal
	@$(BIN)/python -m benchmarks.provisioning
	@for models in 100 1000 5000; do $(BIN)/python -m benchmarks.planning $$models; done

clean:  ## Remove what was built, not what was fetched.
	@rm -rf build .keywright $(VENV)
