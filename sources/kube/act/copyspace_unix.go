//go:build linux || darwin

package act

import (
	"math"

	"golang.org/x/sys/unix"
)

// diskSpace returns the free and total bytes of a folder's disk.
func diskSpace(folder string) (free, all int64, known bool) {
	var disk unix.Statfs_t
	if err := unix.Statfs(folder, &disk); err != nil || disk.Bsize <= 0 || disk.Blocks == 0 {
		return 0, 0, false
	}
	size := uint64(disk.Bsize) //nolint:gosec // it is above zero
	most := math.MaxInt64 / size
	return int64(min(uint64(disk.Bavail), most) * size), int64(min(disk.Blocks, most) * size), true //nolint:gosec,unconvert // bounded; Bavail is signed elsewhere
}
