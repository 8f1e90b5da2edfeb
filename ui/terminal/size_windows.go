package terminal

import (
	"context"
	"time"

	"github.com/traintop/traintop/actions"
)

// sizeEvery is the time between two reads of the size: Windows sends no signal
// for it.
const sizeEvery = 500 * time.Millisecond

// watchSize sends the terminal's size, now and at each read.
func watchSize(ctx context.Context, fd int, sizes chan actions.Size) {
	tick := time.NewTicker(sizeEvery)
	defer tick.Stop()
	for {
		sendSize(fd, sizes)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
