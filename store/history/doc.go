// Package history keeps the last hour of what is measured of many things, in
// two bytes a number.
//
// A Ring is the past of one thing: rows of numbers, one for each instant at
// which it was measured. Rows stand in chunks that only grow behind what a
// Past already shows, so a Past costs a few words and never changes. A
// number is rounded to 11 bits (0.05 %; whole numbers up to 2,048 are exact), an
// instant to a tenth of a second.
//
// Everything is bounded: rows older than Span leave by the chunk, and rows
// come no closer together than the writer asks for.
package history
