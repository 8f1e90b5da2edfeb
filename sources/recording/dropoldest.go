package recording

import (
	"fmt"
	"io"
	"os"
)

// keepWithin drops the oldest part of a file that exceeds its limits. It cuts
// at a snapshot, so that the rest reads as before.
//
// It copies the rest into a new file and renames that over the old one. So at
// any moment there is one whole file under the name, on every system and file
// system, and readers of the old file can finish. For that moment the disk
// holds up to half of the limit more. Overwriting the beginning of the file,
// or punching holes into it, would save that space, but such files cannot be
// copied or sent as they are.
func (o *output) keepWithin() error {
	cut := o.cut()
	if cut < 0 {
		return nil
	}
	if err := o.trim(cut); err != nil {
		return fmt.Errorf("dropping the oldest part of %s: %w", o.path, bare(err))
	}
	return nil
}

// cut returns the index in pieces of the snapshot to cut at, -1 to leave the
// file.
func (o *output) cut() int {
	newest := o.pieces[len(o.pieces)-1].to
	// a fifth above the limit, so that the file is not copied all the time
	late := o.limits.keep > 0 && newest-o.oldest() > o.limits.keep+o.limits.keep/5
	large := o.limits.size > 0 && o.size > o.limits.size
	if !late && !large {
		return -1
	}
	found := -1
	for i := range o.pieces {
		p := &o.pieces[i]
		if p.kind != kindSnapshot || p.part != 0 {
			continue
		}
		if late && p.to <= newest-o.limits.keep {
			found = i
		}
		if large && (found < 0 || o.size-o.pieces[found].offset > o.limits.size/2) {
			found = i
		}
	}
	if found >= 0 && o.pieces[found].offset <= o.begin() {
		return -1
	}
	return found
}

// begin returns the offset of the first piece that can be dropped.
func (o *output) begin() int64 {
	for i := range o.pieces {
		if k := o.pieces[i].kind; k != kindHead && k != kindNote {
			return o.pieces[i].offset
		}
	}
	return o.size
}

// oldest returns the time of the first piece that can be dropped.
func (o *output) oldest() int64 {
	for i := range o.pieces {
		if k := o.pieces[i].kind; k != kindHead && k != kindNote {
			return o.pieces[i].from
		}
	}
	return o.pieces[len(o.pieces)-1].to
}

func (o *output) trim(cut int) (err error) {
	beside := o.path + ".trim"
	file, err := os.OpenFile(beside, os.O_RDWR|os.O_CREATE|os.O_TRUNC|noFollow, 0o600)
	if err != nil {
		return err
	}
	from := o.pieces[cut].offset
	next := &output{path: o.path, file: file, head: o.head, limits: o.limits, trimmed: o.trimmed + from}
	if err = o.copyInto(next, cut); err == nil {
		err = next.sync()
	}
	if err == nil {
		err = os.Rename(beside, o.path)
	}
	if err != nil {
		_ = file.Close()
		_ = os.Remove(beside)
		return err
	}
	o.exchange(file)
	o.size, o.pieces, o.trimmed = next.size, next.pieces, next.trimmed
	return nil
}

func (o *output) copyInto(next *output, cut int) error {
	if _, err := next.file.WriteAt(magicLine, 0); err != nil {
		return err
	}
	next.size = int64(len(magicLine))
	head, _ := readPiece(next.head)
	if err := next.write(next.head, head); err != nil {
		return err
	}
	if err := next.write(jsonPiece(kindNote, o.pieces[cut].from, Note{Trimmed: next.trimmed})); err != nil {
		return err
	}
	from := o.pieces[cut].offset
	moved := next.size - from
	if _, err := io.Copy(io.NewOffsetWriter(next.file, next.size), io.NewSectionReader(o.file, from, o.size-from)); err != nil {
		return err
	}
	for _, p := range o.pieces[cut:] {
		p.offset += moved
		next.pieces = append(next.pieces, p)
	}
	next.size = o.size + moved
	return nil
}
