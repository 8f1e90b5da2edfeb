// Package recording writes what sources say into one file and reads it back:
// the store's own events in the order in which they came, so that every
// screen, curve and diagnosis of any instant can be had again.
//
// A file is a row of pieces, each with its kind, span of time, lengths and
// check sums. Pieces that share a chunk are one stream of zstd; a chunk is
// read alone. At intervals stands a snapshot, the whole state as events, and
// an instant is reached from the snapshot before it. The index at the end
// lists the pieces and is made again by a look at their heads where it is
// missing. docs/recording.md describes every byte.
//
// Nothing that is read is believed before it was checked: no length of a file
// makes memory be taken before the bytes are there.
package recording
