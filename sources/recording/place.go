package recording

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// keepPlace makes sure that what is written next can be found: that the file has
// its name and its length still. It puts a file back whose name is gone. It
// returns an error where another file has the name, or where a part of the
// recording was lost.
func (o *output) keepPlace() error {
	held, err := o.file.Stat()
	if err != nil {
		return nil // writing reports why
	}
	if held.Size() < o.size {
		return o.cutByOthers(held.Size())
	}
	named, err := os.Stat(o.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return o.putBack()
	case err == nil && !os.SameFile(held, named):
		return fmt.Errorf("writing %s: another file has its name now, and stays as it is; move it away, and all of the recording is written there again", o.path)
	}
	return nil
}

// putBack writes the recording under its name again, from the file that lost it.
func (o *output) putBack() error {
	file, err := os.OpenFile(o.path, os.O_RDWR|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
	if err != nil {
		return fmt.Errorf("writing %s: it was removed or moved away, and cannot be put back: %w", o.path, bare(err))
	}
	if _, err = io.Copy(io.NewOffsetWriter(file, 0), io.NewSectionReader(o.file, 0, o.size)); err == nil {
		err = file.Sync()
	}
	if err != nil {
		_ = file.Close()
		_ = os.Remove(o.path) // half of it would hide that it is gone
		return fmt.Errorf("writing %s: it was removed or moved away, and cannot be put back: %w", o.path, bare(err))
	}
	o.exchange(file)
	o.say(fmt.Sprintf("%s was removed or moved away while it was written; all of it was written there again", o.path))
	return nil
}

// exchange goes on with a file that took the place of the present one.
func (o *output) exchange(file media) {
	_ = o.file.Close() // its content is in the new file
	if o.relock != nil {
		_ = o.relock(o.path) // the lock file still keeps others away
	}
	o.file = file
}

// cutByOthers goes on behind the last whole piece of a file that another program
// shortened, and returns what was lost.
func (o *output) cutByOthers(size int64) error {
	whole := 0
	for whole < len(o.pieces) && o.pieces[whole].end() <= size {
		whole++
	}
	o.mu.Lock()
	if whole < len(o.pieces) && o.lost.from == 0 {
		o.lost.from = o.pieces[whole].from
	}
	o.mu.Unlock()
	o.pieces, o.size = o.pieces[:whole], int64(len(magicLine))
	if whole > 0 {
		o.size = o.pieces[whole-1].end()
	}
	cut := fmt.Errorf("writing %s: another program cut it to %d bytes, and what was recorded behind them is lost", o.path, size)
	if err := o.file.Truncate(o.size); err != nil {
		return errors.Join(cut, bare(err))
	}
	if whole == 0 {
		head, _ := readPiece(o.head)
		if _, err := o.file.WriteAt(magicLine, 0); err != nil {
			return errors.Join(cut, bare(err))
		}
		if err := o.write(o.head, head); err != nil {
			return errors.Join(cut, err)
		}
	}
	return cut
}

// say keeps a sentence until takeSaid.
func (o *output) say(text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.said = text
}

// takeSaid returns what say kept, once.
func (o *output) takeSaid() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := o.said
	o.said = ""
	return text
}
