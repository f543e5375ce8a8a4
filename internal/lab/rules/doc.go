// Package rules is what a Connect worker's herder decides, as functions of what it knows: the workers of the lab (package internal/lab/worker),
// which have connections and threads, and those in virtual time (package internal/lab/virtual) ask the same ones.
//
// It must know no clock, no goroutine and no network.
package rules
