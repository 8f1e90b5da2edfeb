package process

import (
	"os"
	"runtime/debug"
)

// By how many per cent the heap grows between two garbage collections. Go's 100
// takes resident memory past its budget while the first lists of a large
// cluster arrive: with 25 it peaks at 151 MiB, with 15 at 140
// (docs/performance.md). The screen runs for hours and follows logs; a command
// that answers and ends should rather be quick. Most data read for an instant
// of a recording stays, and a person waits for the snapshot. A recorder runs
// beside other work for weeks and has no screen: its processor time counts.
const (
	ScreenGrowth  = 15
	CommandGrowth = 50
	RecordGrowth  = 100
	InstantGrowth = 200
)

// KeepMemorySmall collects garbage earlier; GOGC in the environment wins.
func KeepMemorySmall(growth int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(growth)
	}
}

// ReadSwiftly delays garbage collection while an instant of a recording is
// read; the returned function restores the setting.
func ReadSwiftly() (done func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(InstantGrowth)
	return func() { debug.SetGCPercent(before) }
}
