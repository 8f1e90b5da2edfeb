package dump

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// finishMoved reads the rest of a file that was renamed, as by logrotate, and
// reports whether there was any.
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

// movedLooks is in how many polls at most a file is read under its new name,
// before the file that took its old name: a program may go on writing to the
// old file until it is told to reopen its log.
const movedLooks = 20

// forgetMoved remembers the file that another one of its name replaced.
func (t *tail) forgetMoved() {
	const most = 100
	if t.info != nil && t.lines != nil {
		t.past = append(t.past[max(0, len(t.past)-most):], t.info)
	}
	t.movedLooks = 0
}

// movedTo finds the renamed file in the same folder.
func (t *tail) movedTo() (name string, info fs.FileInfo) {
	folder := filepath.Dir(t.path)
	entries, _ := t.reader.disk.ReadDir(folder) // an unreadable folder has no such file
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

// wasRead reports whether a file was already read under another name, and is
// unchanged since.
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
