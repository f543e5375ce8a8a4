// Package exercise has scripted exercises: the built-in ones with their parameters, a person's own, their steps, what they
// are foreseen to cost and did. It knows the packages that act; it must never know a screen or a command line.
package exercise
