//go:build kafka && unix && race

package test

// raceDetector: regroup is built as the test binary was, with it.
const raceDetector = true
