package dump

import (
	"fmt"
	"io/fs"
)

// sizeNow returns the size in bytes that an open file has now; it is not known for
// what is no file of the machine.
func sizeNow(file any) (size int64, known bool) {
	stater, is := file.(interface{ Stat() (fs.FileInfo, error) })
	if !is {
		return 0, false
	}
	info, err := stater.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	return info.Size(), true
}

// shrunk reports that a file became shorter, "" if it did not: another program
// emptied or cut it (copytruncate of logrotate), so its rest is lost to the reader.
func shrunk(before, after int64) string {
	if after >= before {
		return ""
	}
	return fmt.Sprintf("the file became shorter while it was read, from %d bytes to %d", before, after)
}

// measure notes that the file is shorter than when it was found or opened, after
// all of it was read. One that may grow is read again when it shrinks (look).
func (t *tail) measure(name string) {
	after, known := sizeNow(t.file)
	if !known || t.in != nil || t.info == nil || t.grows() {
		return
	}
	before := t.info.Size()
	if name == t.path {
		before = max(before, t.listed)
	}
	why := shrunk(before, after)
	if why == "" && !t.packed { // it may have grown again
		why = shrunk(before, t.stored.read)
	}
	if why == "" {
		return
	}
	if t.shrank = why + "; all of it is missing: read a copy of it"; t.lines != nil {
		t.shrank = fmt.Sprintf("%s; what followed line %d is missing: read a copy of it", why, t.lines.Lines())
	}
}
