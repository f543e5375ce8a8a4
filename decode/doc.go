// Package decode turns the bytes of a Connect group into values that a person can read: what workers say when they join
// and are told (connect.go), the coordinator's record of a generation (coordinator.go), and the records of the config and
// status topics (config.go, status.go).
//
// It knows wire formats and nothing else. It must never know a Kafka client, a clock, a file or a screen, and it decides
// nothing: whether a unit runs, or why a round happened, is package group's to say. Garbage gives an error that names the
// field and its byte offset; it never gives zeros that pass for data.
//
// # What stands in for what is not there
//
// Kafka and Connect leave some things out on purpose. These are all the values that no byte says; anything else that is
// missing, cut or of the wrong type is an error.
//
//	message        not there                                      read as
//	subscription   allocation: null, cut off, or version 0        Allocation nil
//	assignment     no bytes at all (the leader gave nothing)      nil, no error
//	               version 1 and above: assigned null or cut off  Assigned nil
//	               revoked null or cut off, or version 0          Revoked nil
//	               delay cut off, or version 0                    DelayMs 0
//	either         a version above 2                              the fields of 2; Trailing counts the rest
//	group record   protocol, leader or instance id null           ""
//	               timestamp -1, or a version below 2             StateAt zero
//	               rebalance timeout, version 0                   SessionTimeout, as brokers do
//	group key      another version than 2                         not ours, no error
//	any topic      a key of no known form                         kind Unknown, the value is not looked at
//	               a null value                                   Deleted
//	config         a property that is null                        listed in Nulls, not in Properties
//	               state.v2 null or not there (before KIP-875)    state
//	               include-tasks, only-failed                     false, as workers do
//	               a session key's algorithm                      ""
//	status         trace or version null or not there             ""
//	either topic   JSON text that is no UTF-8                     U+FFFD for each bad byte, as encoding/json does
//
// "Cut off" means that the message ends exactly before the field: a field that has begun must be whole.
package decode
