# `make help` lists the targets. Two of them do everything on a fresh machine with Go: `make build` and `make test`.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GOBIN := $(shell go env GOPATH)/bin
tool = $(or $(shell command -v $(1)),$(wildcard $(GOBIN)/$(1)),$(1))
GOLANGCI := $(call tool,golangci-lint)
GORELEASER := $(call tool,goreleaser)

# Real Kafka needs a JVM, and Maven for the jars. CI must not leave it out.
REAL := $(and $(shell command -v java),$(shell command -v mvn))
# Real Kafka mostly waits: for sessions that run out, for delays. So its tests run beside each other; after the unit tests, for
# those of live groups want a processor that is not taken.
# A program with the race detector sleeps for a second before it ends.
export GORACE := atexit_sleep_ms=10
UNIT := go test -race -timeout 20m -json ./...
KAFKA := go test -race -tags kafka -count=1 -timeout 20m -json
REALONES := $(shell grep -rlE '^func Test\w*RealWorkers' --include=*_test.go internal actions tui | xargs -n1 dirname | sort -u | sed 's|^|./|')
RIG := $(KAFKA) -p 2 -parallel 4 ./test/...
OTHERS := $(KAFKA) -p 1 -parallel 2 -run RealWorkers $(REALONES)
DIGEST := go run ./test/digest
FUZZTIME ?= 20s

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-11s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: build
build: ## build ./regroup
	go build -o regroup .

.PHONY: test
test: ## unit tests with the race detector, then real Kafka where java and mvn exist
	@$(DIGEST) '$(UNIT)'
ifneq ($(REAL),)
	@$(DIGEST) '$(RIG)' '$(OTHERS)'
else
ifeq ($(CI),true)
	@echo "left out: the real Kafka tests, for want of java or mvn; with CI=true that is a failure" >&2; exit 1
else
	@echo "left out: the real Kafka tests, for want of java or mvn (make test-real)"
endif
endif

.PHONY: test-real
test-real: ## a real broker and real workers (java 17 or later, mvn); about 8 minutes
	@$(DIGEST) '$(RIG)' '$(OTHERS)'

.PHONY: truth
truth: ## what regroup says that rebalances cost, against the logs of workers of 4.3.1 and 3.9.1, three times; about 20 minutes
	go test -race -tags kafka -count=3 -timeout 60m -run '^TestTruth$$' -v ./test -args -truth 4.3.1,3.9.1

# Without the race detector, which slows regroup down beside nine JVMs, and takes minutes to build; `make test` has the short form with it.
.PHONY: nightly
nightly: ## what takes too long for every change: three brokers in every trouble, brokers of 2.8 and 3.4; about 8 minutes
	@REGROUP_NIGHTLY=1 $(DIGEST) 'go test -tags kafka -count=1 -timeout 40m -json -parallel 1 -run "^(TestThreeBrokers|TestOldBrokers)$$" ./test'

.PHONY: lint
lint: ## golangci-lint, go vet, and that go.mod is tidy
	$(GOLANGCI) run
	go vet -composites=false -tags kafka ./... # golangci-lint looks at literals, all but our own pairs
	GOOS=windows go vet -composites=false ./...
	go mod tidy -diff

.PHONY: fmt
fmt: ## format as the linter wants it
	$(GOLANGCI) fmt

.PHONY: bench
bench: ## benchmarks of DESIGN's budgets that need no broker; Connect's own assignor beside ours where java and mvn exist
	go test -run '^$$' -bench . -benchmem ./...
ifneq ($(REAL),)
	go test -tags kafka -run '^$$' -bench AgainstConnect -benchtime 1x -count=1 ./test/oracle
endif

.PHONY: bench-real
bench-real: ## the first full picture on a real broker, against kcat and Kafka's console consumer
	go test -tags kafka -run '^$$' -bench Real -benchtime 1x -count=1 -timeout 30m -v ./test/...

.PHONY: fuzz
fuzz: ## each fuzz target for FUZZTIME (20s)
	@for dir in $$(go list -f '{{.Dir}}' ./...); do \
	  grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$$dir"/*_test.go 2>/dev/null | cut -c6- | while read -r target; do \
	    echo "$$target in $${dir#$$PWD/}"; \
	    go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$dir"; \
	  done; \
	done

.PHONY: docs
docs: ## write docs/commands.md from the commands themselves
	go run . docs > docs/commands.md

.PHONY: pictures
pictures: ## draw every view, dark and light, from the captures: docs/pictures
	go run ./tui/pictures docs/pictures

.PHONY: snapshot
snapshot: ## the release's archives for every system, unpublished, in dist/
	$(GORELEASER) check
	$(GORELEASER) release --snapshot --clean
