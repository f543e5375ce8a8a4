// Package compare plays one exercise on several simulated groups that differ in nothing but the protocol, and says what each
// stopped, for how long, and why they differ. The numbers are those of package group, as for a real group; what it says of
// them is worked out from the rounds that happened.
//
// It must know no terminal and no file: it gives numbers, rows of glyphs and sentences.
package compare
