package cli

import (
	"os"
	"runtime/debug"
)

// By how many per cent the heap grows between two garbage collections. Go's
// 100 takes resident memory past its budget while the first lists of a large
// cluster come in (docs/performance.md). The screen stays for hours and follows
// logs; a command that answers and ends should rather be quick.
// Most of what is read for an instant of a recording stays, and somebody waits
// for the snapshot. A recorder runs beside other work for weeks and has no
// screen: what it takes of processors counts.
const (
	screenGrowth  = 25
	commandGrowth = 50
	recordGrowth  = 100
	instantGrowth = 200
)

// keepMemorySmall collects garbage earlier; GOGC in the environment wins.
func keepMemorySmall(growth int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(growth)
	}
}

// readSwiftly lets garbage lie while an instant of a recording is read; the
// function that it returns goes back to how it was.
func readSwiftly() (done func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(instantGrowth)
	return func() { debug.SetGCPercent(before) }
}
