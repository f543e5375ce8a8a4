// Package exercise knows the scripted exercises as data: what is done to a group, step after step, and when to wait. The same
// steps are played on simulated groups to compare protocols, and on live ones.
//
// It must never know how a step is done, nor a clock, a file or a network: who plays an exercise knows that.
package exercise
