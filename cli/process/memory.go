package process

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
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

// The growth that FollowHeap gives a heap: a small one leastRoom in bytes, since some
// per cent of little are collected all the time; one of largeHeap, which only logs and
// curves make, largeGrowth in per cent. From clusterHeap, which 30,000 pods nearly take,
// to largeHeap it rises evenly.
const (
	leastRoom   = 8 << 20
	clusterHeap = 160 << 20
	largeHeap   = 320 << 20
	largeGrowth = 40
)

// KeepMemorySmall collects garbage earlier; GOGC in the environment wins.
func KeepMemorySmall(growth int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(growth)
	}
}

// FollowHeap is KeepMemorySmall for a program that runs for long: after each collection
// the growth is what the heap needs, and growth at the least.
func FollowHeap(growth int) {
	if os.Getenv("GOGC") != "" {
		return
	}
	KeepMemorySmall(growth)
	atEachCollection(func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		if metrics.Read(live); live[0].Value.Kind() == metrics.KindUint64 && !swift.Load() {
			debug.SetGCPercent(growthOf(live[0].Value.Uint64(), growth))
		}
	})
}

// growthOf is the growth of a heap of which so many bytes are in use.
func growthOf(live uint64, least int) int {
	if live > clusterHeap {
		beyond := min(live, largeHeap) - clusterHeap
		return max(least, least+(largeGrowth-least)*int(beyond>>20)/((largeHeap-clusterHeap)>>20))
	}
	return min(RecordGrowth, max(least, int(100*leastRoom/max(1, live))))
}

// atEachCollection runs a function after each garbage collection.
func atEachCollection(do func()) {
	type sentinel struct{ _ [16]byte } // not tiny: those are collected with others
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) {
		do()
		atEachCollection(do)
	})
}

// swift is true while ReadSwiftly holds.
var swift atomic.Bool

// ReadSwiftly delays garbage collection while an instant of a recording is
// read; the returned function restores the setting.
func ReadSwiftly() (done func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	swift.Store(true)
	before := debug.SetGCPercent(InstantGrowth)
	return func() {
		debug.SetGCPercent(before)
		swift.Store(false)
	}
}
