package cli

import (
	"os"
	"runtime/debug"
)

// heapGrowth is by how many per cent the heap grows between two garbage
// collections. Go's 100 takes resident memory past its budget while the first
// lists of a large cluster come in; this costs some tenths of a second
// of CPU there (docs/performance.md).
const heapGrowth = 25

// keepMemorySmall collects garbage earlier; GOGC in the environment wins.
func keepMemorySmall() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
}
