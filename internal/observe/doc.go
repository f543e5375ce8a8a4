// Package observe reads a Connect group from the outside: the coordinator's log, DescribeGroups, the config and status
// topics, or a file. Each source turns what it reads into group.Facts, and all of them go into one ordered stream.
//
// It knows Kafka's requests, where things lie, how a source fails and how it comes back. It must never know what a fact
// means: rounds, causes and states are group's. And it must never disturb: it joins no group, commits nothing, creates no
// topic. Partitions are read directly, by raw fetches.
//
// A source is a function that runs until its context ends. It reports its health as facts too (SourceReport), goes on by
// itself after trouble, and never gives a record twice. How a source is read to its end is decided by ListOffsets, never by
// a fetch that brought nothing.
package observe
