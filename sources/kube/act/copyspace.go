package act

import (
	"fmt"
	"syscall"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
)

const (
	// leftFree is what a copy leaves free on a disk: a hundredth, and no more
	// than mostLeftFree.
	leftFree     = 100
	mostLeftFree = 256 << 20
	// lookForSpace is after how many bytes the disk is looked at again: others
	// write to it too.
	lookForSpace = 64 << 20
)

// hasSpace refuses what the disk here cannot hold. Where the system does not
// tell how much is free, the write fails when nothing is.
func (d *into) hasSpace(name string, rest int64) error {
	free, all, known := diskSpace(d.root.Name())
	if known {
		return spaceError(name, rest, max(0, free-min(all/leftFree, mostLeftFree)))
	}
	return nil
}

func spaceError(name string, rest, room int64) error {
	if rest <= room {
		return nil
	}
	why := fmt.Sprintf("%s does not fit on the disk here: %d MiB of it are to come, and there is room for %d MiB", client.Printable(name), rest>>20, room>>20)
	return &copyError{actions.Other, why, syscall.ENOSPC}
}
