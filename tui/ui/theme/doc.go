// Package theme turns meanings into what a terminal is told: semantic tokens → styles → escape prefixes, and glyphs → ASCII.
//
// A view never names a colour. It says that something is Delayed or Muted and on which ground it lies; a Theme, made once for a
// palette and a colour profile, has the escape sequence of every such style ready. A hue never stands alone: beside it there
// is always a glyph, a letter, a word or a line shape.
//
// The package must never know what a group, a worker or a unit is.
package theme
