// Package audit records what traintop changed in clusters: one JSON object per line,
// appended and never rewritten, in the XDG state folder that cli names.
//
// A change has two lines: one before it is made, and one with its result. So a failure
// to record is known while there is still a choice: callers refuse changes that cannot
// be recorded, with the reason, unless the person confirms them nevertheless.
//
// Several programs may write to the same file. A line is one write at the file's end. A
// file that reaches MaxSize is renamed to a name that no other program uses.
package audit
