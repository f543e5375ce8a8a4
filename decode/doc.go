// Package decode turns the bytes of a Connect group into values that a person can read: what workers say when they join
// and are told (connect.go), the coordinator's record of a generation (coordinator.go), and the records of the config and
// status topics (config.go, status.go).
//
// It knows wire formats and nothing else. It must never know a Kafka client, a clock, a file or a screen, and it decides
// nothing: whether a unit runs, or why a round happened, is package group's to say. Garbage gives an error that names the
// field and its byte offset; it never gives zeros that pass for data.
package decode
