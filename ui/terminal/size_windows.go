package terminal

import (
	"context"
	"time"

	"github.com/traintop/traintop/actions"
)

// sizeEvery is how often the size is looked at: no signal tells of it here.
const sizeEvery = 500 * time.Millisecond

// watchSize sends the terminal's size, now and whenever it is looked at.
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
