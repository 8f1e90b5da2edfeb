package dump

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// finishMoved reads the rest of a file that has another name now, as logrotate
// gives it, and reports whether there was any.
func (t *tail) finishMoved(ctx context.Context) (read bool) {
	if t.movedLooks >= movedLooks || t.info == nil || t.lines == nil {
		return false
	}
	t.movedLooks++
	name, info := t.movedTo()
	if name == "" || info.Size() <= t.offset {
		return false
	}
	before := t.offset
	t.err = t.readAs(ctx, name)
	return t.offset > before
}

// movedLooks is in how many looks at most a file is read under another name,
// before that which took its name: a program may go on writing to the old one
// until it is told to open the new one.
const movedLooks = 20

// forgetMoved remembers the file that gave way to another one of its name.
func (t *tail) forgetMoved() {
	const most = 100
	if t.info != nil && t.lines != nil {
		t.past = append(t.past[max(0, len(t.past)-most):], t.info)
	}
	t.movedLooks = 0
}

// movedTo finds the file beside its old name.
func (t *tail) movedTo() (name string, info fs.FileInfo) {
	folder := filepath.Dir(t.path)
	entries, _ := t.reader.disk.ReadDir(folder) // one that cannot be read tells nothing
	for _, entry := range entries {
		if !entry.Type().IsRegular() {
			continue
		}
		if info, err := entry.Info(); err == nil && os.SameFile(info, t.info) {
			return t.reader.disk.Join(folder, entry.Name()), info
		}
	}
	return "", nil
}

// wasRead reports whether a file was read already under another name, and is
// as it was then.
func (r *logReader) wasRead(path string) bool {
	for _, t := range r.tails {
		if len(t.past) == 0 {
			continue
		}
		info, err := r.disk.Stat(path)
		if err == nil && slices.ContainsFunc(t.past, func(past fs.FileInfo) bool {
			return os.SameFile(info, past) && info.Size() == past.Size() && info.ModTime().Equal(past.ModTime())
		}) {
			return true
		}
	}
	return false
}
