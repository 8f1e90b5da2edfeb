// Package pattern is the screen that makes a format of one's own from a line of a
// log: a person picks the numbers that are metrics and names them, sees what that
// reads of the whole log, and saves it to the configuration.
package pattern
