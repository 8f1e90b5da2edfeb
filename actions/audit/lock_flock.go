//go:build linux || darwin || freebsd

package audit

import (
	"os"
	"syscall"
	"time"
)

// patience bounds the wait for another program that writes; a write takes
// milliseconds. After it the line is written nevertheless: appending is atomic
// without a lock, only a line that was cut off may go unnoticed.
const patience, pause = time.Second, 2 * time.Millisecond

// lock prevents other programs from writing until the file is closed, and reports
// whether it succeeded.
func lock(file *os.File) bool {
	for waited := time.Duration(0); waited < patience; waited += pause {
		if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			return true
		}
		time.Sleep(pause)
	}
	return false
}
