package cli

import (
	"os"
	"runtime/debug"
)

// By how many per cent the heap grows between two garbage collections. Go's
// 100 takes resident memory past its budget while the first lists of a large
// cluster come in (docs/performance.md). The screen stays for hours and follows
// logs; a command that answers and ends should rather be quick.
const (
	screenGrowth  = 25
	commandGrowth = 50
)

// keepMemorySmall collects garbage earlier; GOGC in the environment wins.
func keepMemorySmall(growth int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(growth)
	}
}
