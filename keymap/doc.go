// Package keymap is the one table of keys. The shell looks each key up in it
// before a screen gets the action; the footer, the help screen and the table in
// the documentation are printed from it.
//
// A screen has a scope. A key that its scope does not bind is looked up in the
// scope behind it (tables, pagers) and then in the global one.
package keymap
