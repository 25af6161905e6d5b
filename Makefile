# A thin front for Meson. `make demo` and `make check` also install the missing packages.

SAN ?= 0
COMPILER ?= gcc
ifeq ($(SAN),1)
BUILD ?= build-san
MESON_ARGS += -Db_sanitize=address,undefined -Db_lundef=false
# `compile` and `kernel` test compiled programs and their runtime, which have no sanitizers; `many`: tests/meson.build.
TESTS ?= --no-suite compile --no-suite kernel --no-suite many
else
BUILD ?= build
endif

.PHONY: all setup check check-compilers check-format check-real check-truth check-levels soak-truth soak-invent soak soak-replay soak-refuted soak-refuted-real soak-orders soak-slices soak-found soak-builtin soak-results demo bench bench-slices install clean fuzz-spec

all: $(BUILD)/build.ninja
	ninja -C $(BUILD)

$(BUILD)/build.ninja:
	CC=$(COMPILER) CXX=$(if $(filter gcc,$(COMPILER)),g++,clang++-19) meson setup $(BUILD) $(MESON_ARGS)

setup:
	scripts/setup

check: setup all
	scripts/check $(BUILD) $(TESTS)

# The sources compile without warnings on both compilers.
check-compilers: setup
	scripts/check-compilers

check-format: setup
	scripts/check-format

# Programs from Debian's source packages; needs the package archive.
check-real: setup all
	BUILD=$(abspath $(BUILD)) tests/real/run
	BUILD=$(abspath $(BUILD)) tests/real/prove
	BUILD=$(abspath $(BUILD)) tests/real/servers

# forerun confirms nothing in the correct programs of tests/programs. TRUTH: the programs, as shell patterns.
TRUTH ?= *
check-truth: setup all
	SRC=$(CURDIR) BUILD=$(abspath $(BUILD)) TRUTH='$(TRUTH)' sh -f tests/confirm/truth.t

# The same for recorded runs in random orders. TRUTH_ORDERS: number for each program; FIRST_ORDER: the seed of the first.
TRUTH_ORDERS ?= 3
FIRST_ORDER ?= 1
soak-truth: setup all
	SRC=$(CURDIR) BUILD=$(abspath $(BUILD)) TRUTH='$(TRUTH)' RANDOM_ORDERS=$(TRUTH_ORDERS) \
		FIRST_ORDER=$(FIRST_ORDER) sh -f tests/confirm/truth.t

# forerun finds every bug of the test programs at -O2, and every twin is silent at -O0, -O2 and -O3. LEVELED: the programs
# ("null/*").
LEVELED ?= *
check-levels: setup all
	SRC=$(CURDIR) BUILD=$(abspath $(BUILD)) LEVELS=all PROGRAMS='$(LEVELED)' sh tests/confirm/levels.t

# Random programs, in which the optimiser must invent no access. INVENT: their number; SEED: the first.
INVENT ?= 200
soak-invent: setup all
	SRC=$(CURDIR) BUILD=$(abspath $(BUILD)) INVENT=$(INVENT) SEED=$(SEED) sh tests/compile/invented-accesses.t

# Millions of random runs against brute force. SOAK: their number; SEED: the first.
SOAK ?= 2000000
SEED ?= 1000000
soak: setup all
	for t in check generate oracle solvers sees sliced relaxed atomicity atomicset pattern hybrid bundle; do \
		FORERUN_TEST_TRACES=$(SOAK) FORERUN_TEST_SEED=$(SEED) $(BUILD)/tests/unit/test_$$t || exit 1; \
	done

# Random threaded programs: no sound prediction is refuted. SLICES: their number, in files of 20; FIRST: the first file.
SLICES ?= 2000
soak-slices: setup all
	python3 tests/slices/slice_soak.py $(abspath $(BUILD))/forerun /tmp/forerun-slices $(or $(FIRST),1) \
		$$(($(SLICES) / 20)) 20

# Random threaded programs: the races of other orders are predicted or explained. FOUND: number of programs, in files of
# 20; FIRST: the first file; EACH: random orders of each program.
FOUND ?= 1000
EACH ?= 20
soak-found: setup all
	python3 tests/slices/slice_found.py $(abspath $(BUILD))/forerun /tmp/forerun-found $(or $(FIRST),1) \
		$$(($(FOUND) / 20)) 20 $(EACH)

# The table of tiers and verdicts for the test programs with a bug, and the guesses that slicing made sound. TABLE: folders of
# tests/programs, with commas between them (default: all).
TABLE ?= *
bench-slices: setup all
	python3 bench/slices.py --build $(BUILD) --folders '$(TABLE)'

# Built-in kinds written as properties find what the generators find, but for known differences. BUILTIN: folders.
BUILTIN ?= atomicity deadlock lifetime null order predict wakeup
soak-builtin: setup all
	FORERUN=$(abspath $(BUILD))/forerun python3 tests/spec/builtin.py --expect tests/spec/builtin.expect $(BUILTIN)

# Interleavings of the test programs that forerun refutes never happen in thousands of random orders. ORDERS: number for each
# program; REFUTED: the programs, as shell patterns (default: all).
ORDERS ?= 100
REFUTED ?= */*.c*
soak-refuted: setup all
	SRC=$(CURDIR) BUILD=$(abspath $(BUILD)) REFUTED='$(REFUTED)' RUNS=$(ORDERS) sh tests/confirm/refuted.t

# The same for real programs; needs the package archive. FIRSTS: recorded runs of each in which forerun refutes; REAL: the
# programs (default: all with short runs).
FIRSTS ?= 3
REAL ?=
soak-refuted-real: setup all
	BUILD=$(abspath $(BUILD)) RUNS=$(ORDERS) FIRSTS=$(FIRSTS) tests/real/refuted $(REAL)

# Counts the harmless runs in random orders from which forerun finds the bug of each program that crashes or hangs. The twins
# stay silent. HARMLESS: number of runs of each program; CRASHES: the programs.
HARMLESS ?= 20
CRASHES ?= $(wildcard $(foreach f,null lifetime order failing wakeup deadlock,tests/programs/$(f)/*.c*))
soak-orders: setup all
	python3 tests/confirm/orders.py $(abspath $(BUILD))/forerun $(HARMLESS) 1 -O1 $(CRASHES)

# A dozen and more findings, replayed a hundred times each in three ways. REPLAYS: their number.
REPLAYS ?= 100
soak-replay: setup all
	SRC=$(CURDIR) BUILD=$(abspath $(BUILD)) REPLAYS=$(REPLAYS) sh tests/replay/again.t

# Random programs, natively, recorded and replayed. PROGRAMS: their number; FIRST: the first; EACH: ways to build each.
PROGRAMS ?= 1000
FIRST ?= 1000
EACH ?= 6
soak-results: setup all
	SRC=$(CURDIR) BUILD=$(abspath $(BUILD)) PROGRAMS=$(PROGRAMS) FIRST=$(FIRST) EACH=$(EACH) sh tests/compile/same-results.t

# The parser of property files under libFuzzer. FUZZ: seconds.
FUZZ ?= 60
fuzz-spec: setup
	mkdir -p $(BUILD)/corpus
	clang-19 -g -O1 -std=gnu17 -D_GNU_SOURCE -DFR_FUZZER -fsanitize=fuzzer,address,undefined -Isrc -Iinclude \
		tests/fuzz/fuzz_spec.c src/spec/*.c $(addprefix src/base/,assert.c mem.c err.c io.c json.c json_write.c message.c escape.c) \
		-o $(BUILD)/fuzz-spec
	$(BUILD)/fuzz-spec -max_total_time=$(FUZZ) -timeout=10 -dict=tests/fuzz/spec.dict $(BUILD)/corpus

demo: setup all
	scripts/demo $(BUILD)

bench: setup all
	python3 bench/all.py --build $(BUILD)

install: all
	meson install -C $(BUILD)

clean:
	rm -rf build build-san build-clang
