package act

import (
	"fmt"
	"syscall"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/termtext"
)

const (
	// leftFree is the part of a disk that a copy leaves free: one hundredth,
	// at most mostLeftFree.
	leftFree     = 100
	mostLeftFree = 256 << 20
	// lookForSpace is after how many bytes the free space is checked again,
	// since others write to the disk too.
	lookForSpace = 64 << 20
)

// hasSpace returns an error if the local disk has too little space. If the
// system does not report free space, writing fails when there is none.
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
	why := fmt.Sprintf("%s does not fit: %s of it is to come, and there is room for %s", client.Printable(name), termtext.Bytes(rest), termtext.Bytes(room))
	return &copyError{actions.Other, why, syscall.ENOSPC}
}
