//go:build !windows

package terminal

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/traintop/traintop/actions"
)

// watchSize sends the terminal's size, now and whenever it changes.
func watchSize(ctx context.Context, fd int, sizes chan actions.Size) {
	changed := make(chan os.Signal, 1)
	signal.Notify(changed, syscall.SIGWINCH)
	defer signal.Stop(changed)
	for {
		sendSize(fd, sizes)
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
