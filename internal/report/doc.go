// Package report writes what a State knows as documents for people: a picture of the timeline (SVG) and a report in one HTML
// file. It takes a State and gives bytes: it knows no clock, no file, no terminal and no broker, and the same State gives the
// same bytes. Nothing it writes refers to anything outside itself, and it has no script.
package report
