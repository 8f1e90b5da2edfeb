// Package changes plans changes: for a verb and the objects that a person chose, the
// requests that make the change, what exactly will happen, and how to see that it
// happened. It is pure: a snapshot in, a plan out. A verb is one file and one line of
// the list.
package changes
