package process

import (
	"sync/atomic"
	"time"
)

// Clock is this machine's clock, moved to that of the cluster which is read where the two
// differ: what a job does is dated by the cluster's time.
type Clock struct{ offset atomic.Int64 }

// Now is the time by the moved clock.
func (c *Clock) Now() time.Time { return time.Now().Add(time.Duration(c.offset.Load())) }

// SetOffset sets by how much the clock is ahead of this machine's.
func (c *Clock) SetOffset(offset time.Duration) { c.offset.Store(int64(offset)) }
