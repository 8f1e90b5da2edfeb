// Package themes defines colours and signs. A theme is a list of roles (what a
// text is) with a look for each; screens name a role, never a colour.
//
// The escape sequence of every role is computed once, so that a cell is drawn
// by joining strings. Each sequence starts from a reset and so is complete by
// itself: it replaces everything before it, a selected row's background
// included.
//
// Everything is readable without colour too: each state has a name and a mark.
package themes
