// Package loglines keeps the newest lines of one log in bounded memory, gives
// snapshots of them that never change, and searches these.
//
// Lines stand in chunks of some 64 KiB of text. A chunk only grows, and a
// snapshot sees it up to where it was when the snapshot was taken, so snapshots
// share chunks with the ring and with each other and copying one costs a few
// words. The newest line is held apart, since a progress bar may still redraw
// it. What goes to keep within the limit goes by whole chunks.
package loglines
