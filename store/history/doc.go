// Package history keeps the last hour of measurements of many things, in two
// bytes a number.
//
// A Ring is the history of one thing: rows of numbers, one for each instant at
// which it was measured. Rows are stored in chunks that grow only behind what
// a Past already shows, so a Past costs a few machine words and never changes.
// A number is rounded to 11 bits (0.05 %; whole numbers up to 2,048 are
// exact), an instant to a tenth of a second.
//
// Everything is bounded: rows older than Span are dropped chunk by chunk, and
// rows are no closer together than the writer requests.
package history
