// Package draft makes a pattern of one line of a log: it finds the line that
// looks most like metrics, the numbers of a line and what they may be called, and
// the regular expression that reads those that a person picked. It knows no log
// and no screen.
package draft
