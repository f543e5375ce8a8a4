// Package ghost has the member that regroup itself adds to a group: it joins as a worker would, holds what it is given, runs
// none of it, and leaves on every way out. It must never know connectors or exercises.
package ghost
