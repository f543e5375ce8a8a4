// Package label is how rounds, units, causes and workers are named and marked: texts and glyphs, the same ones in every view.
//
// It knows package group and draws nothing. It must never know what the person has set.
package label
