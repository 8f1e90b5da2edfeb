// Package loglines keeps the newest lines of one log in bounded memory,
// returns snapshots of them that never change, and searches these.
//
// Lines are stored in chunks of some 64 KiB of text. A chunk only grows, and a
// snapshot sees it up to its end when the snapshot was taken, so snapshots
// share chunks with the ring and with each other and copying one costs a few
// machine words. The newest line is kept separately, because a progress bar
// may still redraw it. Beyond the limit whole chunks are dropped.
package loglines
