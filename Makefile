# `make run` and `make test` are all there is to know; each sets up the system first, and does nothing where all is there.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Mesa asks for a folder of the session and complains where there is none.
export XDG_RUNTIME_DIR ?= $(shell folder=/tmp/papillon-runtime-$$(id -u); mkdir -p -m 700 "$$folder"; echo "$$folder")

.PHONY: help setup run test check

help: ## Says what there is
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST)

setup: ## Installs what the system lacks (Debian and Ubuntu)
	@./setup.sh

run: setup ## Opens the window; without a display, writes papillon.png and the timing
	cargo run --release

test: setup ## Runs all tests
	cargo test

check: ## Format, lints and documentation, warnings being errors
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings
	RUSTDOCFLAGS=-Dwarnings cargo doc --no-deps
