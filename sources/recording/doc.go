// Package recording writes the events of sources into one file and reads them
// back. It stores the store's own events in the order of arrival, so that
// every screen, curve and diagnosis can be rebuilt for any instant.
//
// A file is a sequence of pieces. The head of a piece has its kind, time span,
// lengths and checksums. The pieces of one chunk are one zstd stream, and each
// chunk can be read alone. At intervals the file contains a snapshot: the
// whole state as events. A reader reaches an instant from the last snapshot
// before it. The index at the end lists all pieces; if it is missing, the
// reader scans for the heads. docs/recording.md describes every byte.
//
// The reader checks everything before using it: it allocates no memory for a
// length that the file claims before those bytes are there.
package recording
