// Package audit keeps the record of what traintop changed in clusters: one
// JSON object a line, appended and never rewritten, in the XDG state folder
// that cli names.
package audit
