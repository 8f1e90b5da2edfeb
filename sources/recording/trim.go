package recording

import (
	"fmt"
	"io"
	"os"
)

// keepWithin drops the oldest part of the file when it has grown beyond its
// limits. A snapshot stands at the cut, so that what stays is read as before.
//
// What stays is copied into a new file that then takes the place of the old
// one: at every moment there is one whole file under the name, on every
// system and every file system, and who reads the old one goes on reading it.
// For that moment the disk holds half of the limit more. Files that overwrite
// their beginning, or have holes punched into it, save that half and cannot
// be copied or sent as they are.
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

// cut is the place in pieces of the snapshot at which the file is cut, -1 for
// leaving it as it is.
func (o *output) cut() int {
	newest := o.pieces[len(o.pieces)-1].to
	// a fifth more than is kept, so that the file is not copied all the time
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

// begin is where the first piece stands that can be dropped.
func (o *output) begin() int64 {
	for i := range o.pieces {
		if k := o.pieces[i].kind; k != kindHead && k != kindNote {
			return o.pieces[i].offset
		}
	}
	return o.size
}

// oldest is the time of the first piece that can be dropped.
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
	file, err := os.OpenFile(beside, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
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
	_ = o.file.Close() // all that it held and counts is in the new one
	if o.relock != nil {
		_ = o.relock(o.path) // the lock beside it still keeps others away
	}
	o.file, o.size, o.pieces, o.trimmed = next.file, next.size, next.pieces, next.trimmed
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
