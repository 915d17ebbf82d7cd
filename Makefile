# `make` or `make help` lists the targets. Needs python3.11 (or a newer python3), make and git.

.DEFAULT_GOAL := help
.PHONY: help dev play check test golden wheel-test vsix bench proof strength gallery lock clean
.DELETE_ON_ERROR:

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
PACKAGES := app dsl interpreter games schemas

# An installed file is a link to its source: edits are seen at once, but a file that comes or goes needs new links.
LISTING = cksum pyproject.toml; find $(PACKAGES) -type f \( -name '*.py' -o -name 'py.typed' -o -name '*.lark' \
	-o -name '*.rules' -o -name '*.yaml' -o -name '*.json' -o -name '*.md' \) | LC_ALL=C sort

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-12s %s\n", $$1, $$2 }'

dev: $(VENV)/.installed ## make or refresh .venv, with everything to run, test and change Cambist
	@{ $(LISTING); } > $(VENV)/.listing.new
	@if ! cmp -s $(VENV)/.listing.new $(VENV)/.listing || ! ls -d build/__editable__.* > /dev/null 2>&1; then \
		echo "linking $(PACKAGES) into $(VENV)"; \
		rm -f $(VENV)/.listing; \
		$(PIP) install -e . --no-deps --no-build-isolation || exit 1; \
	fi
	@mv $(VENV)/.listing.new $(VENV)/.listing

$(VENV)/.installed: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Cambist needs Python 3.11 or newer")'
	@echo "installing requirements.txt into $(VENV)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install -r requirements.txt
	@touch $@

play: dev ## play a game in the terminal: make play GAME=money
	@$(BIN)/cambist play $(or $(GAME),money)

check: dev ## style, format, types and the dependency rule
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check ## what CI runs: check, then all tests with their coverage; make test ARGS="-k money" runs some, without
	$(BIN)/python -m pytest -n 2 $(or $(ARGS),--cov --cov-report=term)

golden: dev ## rewrite the recorded expectations of the tests; read the diff afterwards
	$(BIN)/python -m pytest --update $(ARGS)

wheel-test: dev ## build the wheel, install it somewhere else and try the command
	@set -e; tmp=$$(mktemp -d); trap 'rm -rf "$$tmp"' EXIT; root=$$PWD; unset PYTHONPATH; \
	mkdir "$$tmp/source" "$$tmp/elsewhere"; \
	cp -R pyproject.toml $(PACKAGES) "$$tmp/source"; \
	$(PIP) wheel --no-deps --no-build-isolation -w "$$tmp/wheel" "$$tmp/source"; \
	$(PYTHON) -m venv "$$tmp/venv"; \
	"$$tmp/venv/bin/python" -m pip --disable-pip-version-check -q install -c "$$root/requirements.txt" "$$tmp"/wheel/*.whl; \
	cd "$$tmp/elsewhere"; \
	"$$tmp/venv/bin/cambist" --help; \
	"$$tmp/venv/bin/cambist" games; \
	echo "the wheel works"

vsix: dev ## build the extension for Visual Studio Code: dist/cambist-*.vsix
	@$(BIN)/python editors/vscode/build.py

bench: dev ## measure the speed beside hand-written Python; ARGS=--readme writes the table of the README, --write-baseline the baseline
	$(BIN)/cambist bench --baseline benchmarks/baseline.json $(ARGS)

proof: dev ## run what is promised in large numbers and write docs/proof.md; goes on where it was stopped
	$(BIN)/python proof/run.py $(ARGS)

gallery: dev ## a report of each shipped game in docs/gallery
	$(BIN)/python proof/gallery.py

strength: dev ## measure which bots are stronger than which and write docs/strength.md; goes on where it was stopped
	$(BIN)/python proof/strength.py $(ARGS)

lock: ## remake requirements.txt with the newest versions that pyproject.toml allows
	@set -e; tmp=$$(mktemp -d); trap 'rm -rf "$$tmp"' EXIT; \
	$(PYTHON) -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); print(*p["build-system"]["requires"], *p["project"]["dependencies"], *p["dependency-groups"]["dev"], sep="\n")' > "$$tmp/wanted.txt"; \
	$(PYTHON) -m venv "$$tmp/venv"; \
	"$$tmp/venv/bin/python" -m pip --disable-pip-version-check -q install --upgrade -r "$$tmp/wanted.txt"; \
	{ sed -n '/^#/p' requirements.txt; "$$tmp/venv/bin/python" -m pip freeze --all --exclude pip; } > "$$tmp/requirements.txt"; \
	cp "$$tmp/requirements.txt" requirements.txt

clean: ## remove everything that make made
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
