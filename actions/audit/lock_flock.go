//go:build linux || darwin || freebsd

package audit

import (
	"os"
	"syscall"
	"time"
)

// patience bounds the wait for another program that writes; it takes
// milliseconds. Beyond it the line is written all the same: a write at the end
// of a file is whole without a lock, only a torn line may go unnoticed.
const patience, pause = time.Second, 2 * time.Millisecond

// lock keeps other programs from writing until the file is closed, and reports
// whether it does.
func lock(file *os.File) bool {
	for waited := time.Duration(0); waited < patience; waited += pause {
		if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			return true
		}
		time.Sleep(pause)
	}
	return false
}
