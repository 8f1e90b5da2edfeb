package jobs

import (
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns/jobrows"
)

// measured reports whether any source measures GPUs at all: without one, the
// column could only be empty.
func measured(s *store.Snapshot) bool {
	any := false
	s.MeasuredNodes(func(string, uint64) bool { any = true; return false })
	return any
}

// useVersion changes now and then while the list is sorted by the load of GPUs:
// the numbers change all the time, and rows that jump cannot be read.
func (v *View) useVersion(f views.Frame) uint64 {
	if title, _ := v.Sorting(); title != jobrows.TitleUse {
		return 0
	}
	return uint64(max(0, f.Now().Unix()/useSorted))
}

// useSorted is how many seconds such an order is kept.
const useSorted = 30
