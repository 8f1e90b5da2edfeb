package kube

import (
	"fmt"
	"syscall"

	"github.com/traintop/traintop/actions"
)

const (
	// leftFree is what a copy leaves free on a disk: a hundredth, and no more
	// than mostLeftFree.
	leftFree     = 100
	mostLeftFree = 256 << 20
	// lookForSpace is after how many bytes the disk is looked at again: others
	// write to it too, and cat does not say how much comes.
	lookForSpace = 64 << 20
)

// hasSpace refuses what the disk here cannot hold. Where the system does not
// tell how much is free, the write fails when nothing is.
func (d *into) hasSpace(name string, rest int64, announced bool) error {
	free, all, known := diskSpace(d.root.Name())
	if known {
		return spaceError(name, rest, announced, max(0, free-min(all/leftFree, mostLeftFree)))
	}
	return nil
}

func spaceError(name string, rest int64, announced bool, room int64) error {
	comes := fmt.Sprintf("%d MiB of it are to come", rest>>20)
	switch {
	case !announced && room == 0:
		comes = "how much is to come is not known"
	case !announced || rest <= room:
		return nil
	}
	why := fmt.Sprintf("%s does not fit on the disk here: %s, and there is room for %d MiB", printable(name), comes, room>>20)
	return &copyError{actions.Other, why, syscall.ENOSPC}
}
