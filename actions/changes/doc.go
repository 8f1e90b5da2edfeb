// Package changes says what can be changed: for a verb and the objects that a
// person chose, which requests carry it out, what exactly will happen, and
// how to see that it did. It is pure: a snapshot in, a plan out. A verb is one
// file and one line of the list.
package changes
