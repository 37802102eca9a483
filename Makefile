# `make run` and `make test` install what is missing, build, and do their work. `make help` lists the rest.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.NOTPARALLEL:

# One build tree for both, so that nothing is compiled twice; only CI stops at a warning, which another compiler than
# the one the project is developed with may well have.
preset := $(if $(CI),ci,cuda-release)
release := build/release
jobs := $(or $(JOBS),$(shell nproc))
python := .venv/bin/python

.PHONY: run incidents test setup setup-test build build-test sanitize clean help

# Threads that wait without spinning: what is counted here is not time, and others may need the cores.
run: build  ## run the quickstart experiment, print its table and draw its figure
	OMP_WAIT_POLICY=passive $(release)/experiments/kvarium run experiments/configs/quickstart.yaml
	$(python) -m kvarium.analysis.quickstart results/quickstart.kv.h5

# Caches as small as theirs gain nothing from a second thread.
incidents: build  ## replay reported incidents and write docs/incidents.md
	@mkdir -p results/incidents
	@for file in experiments/configs/incidents/*.yaml; do \
	  name=$$(basename $$file .yaml); \
	  OMP_NUM_THREADS=1 $(release)/experiments/kvarium run $$file --output results/incidents/$$name.kv.h5 || exit 1; \
	done
	$(python) -m kvarium.analysis.incidents results/incidents --output docs/incidents.md

test: build-test  ## run every test: Catch2 through CTest, then pytest
	@failed=0; \
	ctest --preset $(preset) --parallel $(jobs) || failed=1; \
	$(python) -m pytest tests || failed=1; \
	exit $$failed

setup:  ## install what `make run` needs and this machine lacks
	@cmake/setup/packages.sh
	@cmake/setup/kokkos.sh
	@cmake/setup/python.sh run

setup-test: setup  ## install what `make test` needs beyond that
	@cmake/setup/python.sh test
	@cmake/setup/nvrtc.sh

# The targets `folder/all` leave the tests out.
build: setup  ## build the program and the Python package
	@cmake/setup/configure.sh $(preset) $(release)
	cmake --build $(release) --parallel $(jobs) --target experiments/all python/all

build-test: setup-test
	@cmake/setup/configure.sh $(preset) $(release)
	cmake --build $(release) --parallel $(jobs)

sanitize: setup  ## build and run the C++ tests with the address and undefined-behaviour sanitizers
	@cmake/setup/nvrtc.sh
	@cmake/setup/configure.sh cpu-debug build/debug
	cmake --build build/debug --parallel $(jobs)
	ctest --preset cpu-debug --parallel $(jobs)

clean:  ## remove what was built; results, the virtual environment and the cached Kokkos stay
	rm -rf build

help:  ## print this list
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/make \1|\2/p' Makefile | while IFS='|' read -r command effect; do \
	  printf '%-18s%s\n' "$$command" "$$effect"; done
