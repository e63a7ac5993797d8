# Hearts Arena. `make` does what continuous integration does; `make help` lists
# the rest. Needs nothing but Python 3.11 or newer: each target makes `.venv`
# when it is missing and refreshes it when pyproject.toml has changed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

# How long one measurement of `make bench` takes, in seconds.
SECONDS ?= 3
# Which of its figures, by name with commas between them; by default all.
ONLY ?=
# Which modules `make mutate` changes; by default all of the engine.
MODULES ?=
# More arguments for pytest, for example `make test PYTEST="-k deal -x"`.
PYTEST ?=

# The oldest tools whose output loads on old and on new runtimes.
PROTO_VENV := .venv-proto
PROTO_TOOLS := grpcio-tools==1.62.3 grpcio==1.62.3 protobuf==4.25.9 'setuptools<81'
STUBS := clients/python

.DEFAULT_GOAL := all
.NOTPARALLEL:
.SUFFIXES:
.PHONY: all help demo test lint format proto bench mutate clean

all: lint demo-check coverage test

help:
	@echo 'make         what continuous integration runs: lint, a demo, coverage, all tests'
	@echo 'make demo    an arena, six house bots and a small league, about 20 seconds'
	@echo 'make test    all tests; make test PYTEST="-k deal -x" picks some'
	@echo 'make coverage  fails unless the tests reach every branch of the engine'
	@echo 'make lint    ruff and mypy'
	@echo 'make format  puts the sources into the form that lint asks for'
	@echo 'make proto   generates the Python stubs from proto/ again'
	@echo 'make bench   measures speed; the last line is one JSON object'
	@echo 'make sim SEED=7      one league on a virtual clock, and what happened in it'
	@echo 'make sim-long        5000 of them, which takes half an hour; COUNT= for more'
	@echo 'make kill KILLS=100  kills the arena so often in the middle of a league'
	@echo 'make soak MINUTES=30 full load with bots coming and going; memory must not grow'
	@echo 'make rotation BLOCKS=200  measures what rotated deals are worth; one minute'
	@echo 'make stats LEAGUES=2000  simulates leagues to see whether intervals hold; a quarter of an hour'
	@echo 'make mutate  changes the engine in small ways, to see whether tests notice'
	@echo 'make hostile SECONDS=600  attacks an arena beside a league, and tells what it cost'
	@echo 'make fuzz SECONDS=60  makes up inputs for all readers, so long for each of them'
	@echo 'make clean   removes everything that make and the tests have made'
	@echo 'Another Python: make PYTHON=/path/to/python3.12 ...'

demo: $(VENV)/.server
	@$(BIN)/arena demo
	@echo 'Here the command is $(BIN)/arena; `. $(BIN)/activate` puts it on your path.'

# The same demo in a directory of its own, which is removed afterwards.
.PHONY: demo-check
demo-check: $(VENV)/.server
	@data=$$(mktemp -d) && trap 'rm -rf "$$data"' EXIT && \
	  $(BIN)/arena demo --data "$$data"

# The modules of the engine, and the tests that must reach every branch of them.
ENGINE := cards options rules presets deal double_deal history illegal scoring game \
  seeds record view substitution
ENGINE_TESTS := cards rules rules_junk deal double_deal engine_edges scoring game seeds \
  scenarios record

test: $(VENV)/.test
	@$(BIN)/python -m pytest $(PYTEST)

# The proofs that take long: whole leagues on a virtual clock, kills, full load.
SEED ?=
COUNT ?= 5000
KILLS ?= 100
MINUTES ?= 30

.PHONY: sim sim-long kill soak
sim: $(VENV)/.test
	@$(BIN)/python -m tests.simulation.long --seed $(or $(SEED),1)

sim-long: $(VENV)/.test
	@$(BIN)/python -m tests.simulation.long --count $(COUNT)

kill: $(VENV)/.test
	@$(BIN)/python -m pytest tests/e2e/test_kills.py --kills $(KILLS) \
	  --timeout 0 --session-timeout 86400

soak: $(VENV)/.test
	@$(BIN)/python -m tests.soak --minutes $(MINUTES)

# Whether what ratings claim of themselves is true, with so many leagues of a kind.
LEAGUES ?= 2000

.PHONY: stats
stats: $(VENV)/.test
	@$(BIN)/python -m tests.stats --leagues $(LEAGUES)

# What rotated deals are worth with the house bots, from so many blocks of each line-up.
BLOCKS ?= 200

.PHONY: rotation
rotation: $(VENV)/.test
	@$(BIN)/python -m tests.stats.rotation --blocks $(BLOCKS)

.PHONY: coverage
coverage: $(VENV)/.test
	@$(BIN)/python -m coverage run --branch \
	  --include=$$(echo $(ENGINE:%=arena/%.py) | tr ' ' ,) \
	  -m pytest -q $(ENGINE_TESTS:%=tests/test_%.py)
	@$(BIN)/python -m coverage report --fail-under=100 --show-missing

lint: $(VENV)/.test
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check --quiet || \
	  { echo 'Some files are not formatted; make format puts that right.'; exit 1; }
	@$(BIN)/mypy

format: $(VENV)/.test
	@$(BIN)/ruff check --fix --select I --quiet
	@$(BIN)/ruff format

bench: $(VENV)/.test
	@$(BIN)/python -m tests.benchmarks --seconds $(SECONDS) --only '$(ONLY)'

.PHONY: hostile fuzz
hostile: SECONDS = 300
hostile: $(VENV)/.test
	@$(BIN)/python -m tests.hostile --seconds $(SECONDS)

# EXECUTIONS=N in place of SECONDS=N; TARGETS="notation cards" picks some.
fuzz: SECONDS = 60
fuzz: $(VENV)/.fuzz
	@$(BIN)/python -m tests.fuzz --seconds $(SECONDS) \
	  --executions $(or $(EXECUTIONS),0) $(TARGETS)

# Takes up to an hour on two cores, so it is not part of `make`.
mutate: $(VENV)/.mutate
	@$(BIN)/python -m tests.mutation $(MODULES)

# Files without a service get a *_pb2_grpc.py with nothing in it; it goes away.
proto: $(PROTO_VENV)/.ready
	@$(PROTO_VENV)/bin/python -m grpc_tools.protoc -Iproto --python_out=$(STUBS) \
	  --pyi_out=$(STUBS) --grpc_python_out=$(STUBS) proto/hearts/arena/v1/*.proto
	@for proto in proto/hearts/arena/v1/*.proto; do \
	  grep -q '^service ' $$proto || \
	    rm -f $(STUBS)/hearts/arena/v1/$$(basename $$proto .proto)_pb2_grpc.py; \
	done

clean:
	rm -rf $(VENV) $(PROTO_VENV) .venv-node dist arena-data clients/javascript/node_modules \
	  .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit( \
	  "Hearts Arena needs Python 3.11 or newer, but $(PYTHON) is " \
	  + sys.version.split()[0] + ". Name another: make PYTHON=/path/to/python3.11")'
	@echo 'Making $(VENV) with $(PYTHON).'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.server: pyproject.toml | $(VENV)/.python
	@echo 'Installing the arena into $(VENV); this takes about half a minute.'
	@$(PIP) install --editable '.[server]'
	@touch $@

# What the tests need includes what the server needs.
$(VENV)/.test: pyproject.toml | $(VENV)/.python
	@echo 'Installing the arena and its tests into $(VENV); this takes about a minute.'
	@$(PIP) install --editable '.[test]'
	@touch $(VENV)/.server $@

$(VENV)/.mutate: pyproject.toml | $(VENV)/.python
	@echo 'Installing into $(VENV) what changes the engine.'
	@$(PIP) install --editable '.[mutate]'
	@touch $(VENV)/.server $(VENV)/.test $@

$(VENV)/.fuzz: pyproject.toml | $(VENV)/.python
	@echo 'Installing into $(VENV) what makes up inputs.'
	@$(PIP) install --editable '.[fuzz]'
	@touch $(VENV)/.server $(VENV)/.test $@

$(PROTO_VENV)/.ready: Makefile
	@echo 'Making $(PROTO_VENV) with the tools that generate the stubs.'
	@$(PYTHON) -m venv $(PROTO_VENV)
	@$(PROTO_VENV)/bin/python -m pip --quiet --disable-pip-version-check \
	  install $(PROTO_TOOLS)
	@touch $@
