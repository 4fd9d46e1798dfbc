# SPDX-License-Identifier: MIT
#
# The front door; CMake does the work (CMakePresets.json). `make help` lists what there is.

PREFIX  ?= /usr/local
DESTDIR ?=
# More settings for CMake, e.g. OPTIONS="-DLASH_NATIVE=ON -DBUILD_SHARED_LIBS=ON"; they are remembered in build/.
OPTIONS ?=
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)

# CMake runs a make of its own, which must not inherit the settings of this one.
cmake := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake
# $(call build,PRESET): configures and builds; quick when nothing has changed.
build = $(cmake) --preset $(1) $(OPTIONS) >/dev/null && $(cmake) --build --preset $(1) -j $(JOBS)

.PHONY: all demo test test-threads test-long fuzz bench gallery docs reproduce install package clean help
.NOTPARALLEL:

all: ## build the program, build/lash, and the library (packages: tools/install-deps.sh)
	@$(call build,release)

demo: ## install what the program needs, build it, show what play does to a slider-crank
	@tools/install-deps.sh web
	@$(call build,release)
	@tools/demo.sh build

test: ## install what the tests need, run them in the release build and under sanitizers
	@tools/install-deps.sh test
	@$(call build,test)
	@$(call build,sanitize)
	@release=0; sanitize=0; \
	ctest --preset test -j $(JOBS) -LE long || release=1; \
	ctest --preset sanitize -j $(JOBS) -LE long || sanitize=1; \
	test $$release$$sanitize = 00

test-threads: ## the tests of what runs in several threads, under the thread sanitizer
	@tools/install-deps.sh test
	@$(cmake) --preset threads $(OPTIONS) >/dev/null
	@$(cmake) --build --preset threads -j $(JOBS) --target unit_threads unit_study unit_nonlinear unit_hostile_study
	@ctest --preset threads -R 'unit\.(threads|study|nonlinear|hostile_study)$$'

test-long: ## what takes longer than a coffee: ten thousand random machines, large loads, all compilers
	@tools/install-deps.sh test
	@$(call build,test)
	@ctest --preset test -j $(JOBS) -L long

fuzz: ## every fuzz entry for SECONDS (60) each under libFuzzer and sanitizers; PLAIN=1: without them, four times as fast
	@tools/install-deps.sh test
	@$(call build,fuzz$(if $(PLAIN),-plain))
	@PLAIN=$(PLAIN) tools/fuzz.sh $(or $(SECONDS),60)

bench: ## install what the benchmarks need, build and run them
	@tools/install-deps.sh bench
	@$(call build,bench)
	@$(cmake) --build --preset bench --target bench

gallery: ## install what the tests need, make pages of all examples, finished and live, with an index: a folder for any web server
	@tools/install-deps.sh test
	@$(call build,release)
	@tools/make-gallery.sh build

docs: ## make a folder of web pages of docs/ with a search, build/docs; with the gallery where `make gallery` has made it
	@tools/install-deps.sh docs
	@tools/make-docs.py build/docs

reproduce: ## compute the figures and findings of five papers again, write docs/validation; QUICK=1: compare the quick part
	@tools/install-deps.sh program
	@$(call build,release)
	@tools/reproduce.sh $(if $(QUICK),--quick --check --work build/reproduce-quick) --jobs $(JOBS)

install: all ## install under PREFIX (/usr/local), below DESTDIR if set
	@DESTDIR="$(DESTDIR)" $(cmake) --install build --prefix "$(PREFIX)"

package: ## install what the program needs and make Debian packages in build/package: program, library, headers, Python
	@tools/install-deps.sh program
	@$(call build,package)
	@tools/make-package.sh build/package

clean: ## remove everything that was built
	rm -rf build

help: ## this list
	@awk -F ': .*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile
