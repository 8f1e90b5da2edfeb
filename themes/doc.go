// Package themes says how things look. A theme is a list of roles (what a
// text is) with a look for each; screens ask for a role, never for a colour.
//
// The escape sequence of every role is computed once, so that a cell is drawn
// by joining strings. Each sequence starts from a reset and so stands alone:
// whatever came before it, a selected row's background included, is replaced.
//
// Everything reads without colour too: state has a word and a mark.
package themes
