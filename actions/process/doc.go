// Package process has actions on workers themselves: evicted from the group, and their processes found, started, ended and
// frozen, here or by a person's own commands. It must never know connectors, ghosts or exercises.
package process
