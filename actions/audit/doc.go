// Package audit keeps the record of what traintop changed in clusters: one
// JSON object a line, appended and never rewritten, in the XDG state folder
// that cli names.
//
// A change leaves two lines: one before it is made, so that what cannot be
// recorded is known while there is still a choice, and one with its result.
// Whoever makes changes refuses those that cannot be recorded, with the reason,
// unless the person confirms that they are to be made all the same.
//
// Several programs may write to the same file. A line is one write at the
// file's end; a file that has grown to MaxSize is put aside under a name of its
// own, which no other program takes.
package audit
