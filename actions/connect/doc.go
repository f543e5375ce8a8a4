// Package connect has actions over Connect's REST interface: connectors validated, created, changed, paused, restarted,
// deleted, their offsets; every change asked for until it is seen, whatever a worker answers. It must never know processes,
// ghosts or exercises.
package connect
