// Package doctor finds what is wrong with a group: one rule a file, each a function of a group.State that gives findings
// with their evidence, how sure they are, and what to do next.
//
// It is pure and only reads States. It must never know where a State came from, how findings are shown, or the time of day.
package doctor
