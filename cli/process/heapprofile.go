package process

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
)

// HeapProfileVariable names the file into which the screen and a watcher write,
// when they end, what they hold in memory: text of runtime/pprof, with stacks by
// name.
// docs/performance.md has a table by owner that is made from it.
const HeapProfileVariable = "TRAINTOP_HEAP_PROFILE"

// profiledBytes is the mean distance of two allocations that are noted.
const profiledBytes = 16 << 10

// ProfileHeap makes the profile finer where one is asked for. It has to be
// called before what is to be measured is allocated.
func ProfileHeap() {
	if os.Getenv(HeapProfileVariable) != "" {
		runtime.MemProfileRate = profiledBytes
	}
}

// WriteHeapProfile writes the profile where one is asked for. The caller still
// holds what is to be in it.
func WriteHeapProfile() error {
	path := os.Getenv(HeapProfileVariable)
	if path == "" {
		return nil
	}
	runtime.GC() // the profile is as of the last collection
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write the heap profile: %w", err)
	}
	err = pprof.Lookup("heap").WriteTo(file, 1)
	if err = cmp.Or(err, file.Close()); err != nil {
		return fmt.Errorf("write the heap profile to %s: %w", path, err)
	}
	return nil
}
