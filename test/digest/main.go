// digest runs several `go test -json` at the same time, and prints what a person wants of them: each package and each
// long test with its time as it ends, all that a failed test said, and at the very end once more what each failed test failed for,
// without the logs around it.
//
//	go run ./test/digest 'go test -json ./...' 'go test -json -tags kafka ./test'
//
// gotestsum is for one run: it can be told one command, and two of them beside each other mix what they print. Here unit tests, and tests
// that wait for Kafka most of their time, share the machine, and the end has the failures of all.
//
// Each argument is a command for the shell. digest knows the go command's output and nothing of regroup. Its exit code is 1
// where a command or a test failed, or nothing was tested.
package main

import (
	"os"
	"os/signal"
)

func main() {
	// An interrupt reaches the commands, too: what they said until then is told.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	if !run(os.Args[1:], os.Stdout) {
		os.Exit(1)
	}
}
