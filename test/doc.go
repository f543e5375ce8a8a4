// Package test proves regroup against real Kafka: a broker and Connect workers that it starts itself, on loopback, from the
// jars that Maven Central serves. What a worker's own log says is the truth that regroup's output is compared with.
//
// Everything that needs them is behind the build tag kafka, and needs java (17 or later) and mvn:
//
//	go test -tags kafka ./test
//
// A test takes [Shared], the one broker of the test binary, with a group of its own; a test that hurts its broker takes
// [StartBroker]. Processes are ended by their own pid when their test ends, however it ends, and on Linux die with the test
// binary even where that is killed.
//
// The package knows the regroup program from outside: its command line, its exit codes, its JSON. It must never know
// regroup's own packages: a wrong type would agree with itself.
package test
