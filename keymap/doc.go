// Package keymap is the one table of keys. The shell turns a key into an
// action with it before a screen sees anything; the footer, the help screen
// and the table in the documentation are printed from it.
//
// A screen has a scope. What its scope does not bind is looked up in the
// scope behind it (tables, pagers) and then in the global one.
package keymap
