package process

import (
	"runtime"
	"testing"
	"time"
)

func TestGrowthFollowsTheHeap(t *testing.T) {
	for live, want := range map[uint64]int{0: 100, 4 << 20: 100, 16 << 20: 50, 24 << 20: 33, 60 << 20: 15, 90 << 20: 15, 150 << 20: 15, 160 << 20: 15, 240 << 20: 27, 320 << 20: 40, 500 << 20: 40} {
		if got := growthOf(live, ScreenGrowth); got != want {
			t.Errorf("%d MiB in use: %d %%, want %d", live>>20, got, want)
		}
	}
	if got := growthOf(500<<20, CommandGrowth); got != CommandGrowth {
		t.Errorf("the growth is %d, less than it was", got)
	}
}

func TestEachCollectionIsNoticed(t *testing.T) {
	ran := make(chan bool, 1)
	atEachCollection(func() {
		select {
		case ran <- true:
		default:
		}
	})
	for range 3 {
		runtime.GC()
		select {
		case <-ran:
		case <-time.After(10 * time.Second):
			t.Fatal("a collection ended, and nothing ran")
		}
	}
}
