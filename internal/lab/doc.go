// Package lab is a Connect group in this process: an embedded broker, workers that behave as real ones, and the means to add,
// stop, kill, freeze and wake them. The observer, the screen and the actions use it as they use Kafka, over its sockets.
//
// It must know nothing of how a group is observed or shown: what the lab knows of its own group nobody may ask it, but for
// names and addresses.
package lab
