// Package worker is a simulated Connect worker: it joins the group with the real protocol and real bytes, decides as a real
// leader when it leads, reads and writes the config and status topics as real workers do, and serves their REST calls. What
// it runs does nothing but take time to start and to stop, and fail where it is told to.
//
// What it does and in which order is decided by package internal/lab/herder; one goroutine (herder.go) has that happen, and
// heartbeats go beside it. The observer must find nothing here that a real worker would not show: there is no side door out of
// this package, and none between workers.
package worker
