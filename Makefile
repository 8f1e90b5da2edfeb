# Everything here needs Go and nothing else. `make test` is what a change must pass.

GO ?= go
E2E_TIMEOUT ?= 40m
HOURS ?= 2

# All is compiled with the flags of the release, so that tests, the control
# plane, the programs under test and `make cross` share what is in the build
# cache. Only the race detector needs cgo. What a debugger reads is left out: it
# takes a quarter of the time of the compiler, and traces and profiles do not need
# it. `go build` makes a program for a debugger.
export CGO_ENABLED ?= 0
export GOFLAGS := -trimpath -gcflags=all=-dwarf=false $(GOFLAGS)
export GO E2E_TIMEOUT

.PHONY: benchmarks commits vulnerabilities fuzz slow build test check format lint generate e2e faults bench cross look clean

build: ## the program, in ./bin, as it is released
	$(GO) build -o bin/traintop .

test: ## everything but what is slow: format, unit tests (with race where goroutines are), generated files, real control plane
	.ci/test

slow: ## the tests that -short leaves out: ten thousand pods, a million lines of logs, memory over an hour, jobs of the real operators
	$(GO) test -count=1 -run '^TestSlow' $$(grep -rl --include='*_test.go' --exclude-dir=e2e 'testing\.Short()' . | xargs -n1 dirname | sort -u)
	cd e2e && $(GO) test -count=1 -timeout $(E2E_TIMEOUT) -run '^TestSlow' .

vulnerabilities: ## known vulnerabilities that are reached, where their data can be had
	.ci/vulnerabilities

benchmarks: ## hot benchmarks against BASE=commit, or the commit before
	.ci/benchmarks

commits: ## the messages of commits: area, verb, and a body where much changes
	.ci/commits

check: format ## the quick part: format and vet
	$(GO) vet ./...
	cd e2e && $(GO) vet ./...

format: ## files that gofmt would change
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "gofmt these:"; echo "$$unformatted"; exit 1; fi

lint: ## the linters of .golangci.yml, at the version this project is held to
	$(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run ./...
	cd e2e && $(GO) vet ./...

generate: ## tables in docs/ and screens in the README that come from the code
	$(GO) test ./keymap ./train/kinds ./sources/formats ./cli ./diagnose ./diagnose/signals ./actions/probes ./alerts ./alerts/receivers ./jobmetrics -update -run "Documented|DocumentationIsTheTable"
	$(GO) test ./ui -update -run "README|Documented"
	cd e2e && $(GO) test ./faults -update -run Documented

e2e: ## only the tests against the real control plane
	cd e2e && $(GO) test -short -count=1 -timeout $(E2E_TIMEOUT) ./...

faults: ## half of HOURS=2 faults at random against the built program, half of it every fuzz target
	cd e2e && $(GO) test -count=1 -timeout 0 -run TestRandomFaults -v ./faults -hours=$$(awk 'BEGIN { print $(HOURS)/2 }')
	$(MAKE) fuzz FUZZTIME=$$(grep -rh --include='*_test.go' '^func Fuzz' . | awk 'END { printf "%ds", 1 + $(HOURS)*1800/NR }')

bench: ## hot paths, with allocations
	$(GO) test -run '^$$' -bench . -benchmem ./store ./sources/... ./views/... ./ui

# Without -fuzzminimizetime the fuzzer may spend its time on making one input
# smaller: 9 inputs were tried in 75 s.
FUZZTIME ?= 30s

fuzz: ## every fuzz target in turn, each for FUZZTIME
	@grep -rn --include='*_test.go' '^func Fuzz' . | sed 's|^\./\(.*\)/[^/]*_test\.go:[0-9]*:func \(Fuzz[A-Za-z0-9_]*\).*|\1 \2|' | sort -u | while read folder target; do \
		echo "$$folder $$target"; \
		$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5s "./$$folder" </dev/null || exit 1; \
	done

cross: ## every system that is released
	@for os in linux darwin windows; do for arch in amd64 arm64; do \
		echo "$$os/$$arch"; GOOS=$$os GOARCH=$$arch $(GO) build -o dist/traintop-$$os-$$arch . || exit 1; \
	done; done

look: build ## the demo, in the terminal you sit at
	./bin/traintop demo

clean:
	rm -rf bin dist
