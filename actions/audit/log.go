package audit

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// How much is kept: files of at most MaxSize bytes and one line, the current one and
// Keep renamed ones. A line has some 500 bytes.
const (
	MaxSize = 4 << 20
	Keep    = 4
)

// Log is the file in which changes are recorded. Any goroutine may call its methods.
type Log struct {
	path string
	now  func() time.Time
	size int64
	mu   sync.Mutex
}

// New records in the file at path, which need not exist; now returns the time of each
// line.
func New(path string, now func() time.Time) *Log {
	return &Log{path: path, now: now, size: MaxSize}
}

// Path is the path of the file.
func (l *Log) Path() string { return l.path }

// Record is a change that has begun.
type Record struct {
	log  *Log
	line Line
}

// Begin records that a change is about to be made. If it returns an error, the change
// should not be made: the error reports why in one line.
func (l *Log) Begin(c Change) (*Record, error) {
	r := &Record{log: l, line: lineOf(c, rand.Text()[:12], l.now())}
	if err := l.append(r.line); err != nil {
		return nil, fmt.Errorf("this change cannot be recorded in %s: %w", l.path, err)
	}
	return r, nil
}

// End records the result; nil means success. A nil Record, for a change that a person
// confirmed without a record, records nothing.
func (r *Record) End(result error) error {
	if r == nil {
		return nil
	}
	line := r.line
	line.Time, line.Result = r.log.now().UTC(), Done
	if result != nil {
		line.Result, line.Error = Failed, safe(result.Error())
	}
	if err := r.log.append(line); err != nil {
		return fmt.Errorf("the result of the change cannot be recorded in %s: %w", r.log.path, err)
	}
	return nil
}

// append writes one line at the end of the file.
func (l *Log) append(line Line) (err error) {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	file, err := l.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	text = append(text, '\n')
	if lock(file) && endsIncomplete(file) {
		text = append([]byte{'\n'}, text...)
	}
	if _, err := file.Write(text); err != nil {
		return err
	}
	return file.Sync()
}

// open opens the file with access only for its owner, after renaming a full one. It
// refuses anything but a plain file: opening a pipe would block.
func (l *Log) open() (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return nil, err
	}
	if info, err := os.Stat(l.path); err == nil {
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("it is no plain file (%s)", info.Mode().Type())
		}
		if info.Size() >= l.size {
			if err := l.putAside(); err != nil {
				return nil, err
			}
		}
	}
	file, err := os.OpenFile(l.path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.Mode().Perm()&0o077 != 0 {
		if err := file.Chmod(0o600); err != nil {
			return nil, errors.Join(fmt.Errorf("others may read it: %w", err), file.Close())
		}
	}
	return file, nil
}

// endsIncomplete reports whether the last line was cut off, for example by a full disk.
func endsIncomplete(file *os.File) bool {
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil || end == 0 {
		return false
	}
	var last [1]byte
	_, err = file.ReadAt(last[:], end-1)
	return err == nil && last[0] != '\n'
}

// putAside renames the full file and removes the oldest ones. If another program did so
// meanwhile, it renames a file that has only begun, and nothing is lost.
func (l *Log) putAside() error {
	base, extension := l.parts()
	aside := fmt.Sprintf("%s-%s-%s%s", base, l.now().UTC().Format("20060102T150405.000"), rand.Text()[:4], extension)
	if err := os.Rename(l.path, aside); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("putting the full file aside: %w", err)
	}
	old := l.aside()
	for _, path := range old[:max(0, len(old)-Keep)] {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("removing an old one: %w", err)
		}
	}
	return nil
}

func (l *Log) parts() (base, extension string) {
	extension = filepath.Ext(l.path)
	return strings.TrimSuffix(l.path, extension), extension
}

// aside are the renamed files, the oldest first.
func (l *Log) aside() []string {
	base, extension := l.parts()
	entries, err := os.ReadDir(filepath.Dir(l.path))
	if err != nil {
		return nil
	}
	var found []string
	for _, entry := range entries {
		path := filepath.Join(filepath.Dir(l.path), entry.Name())
		stamp, is := strings.CutPrefix(path, base+"-2")
		if is && len(stamp) > 0 && filepath.Ext(path) == extension && entry.Type().IsRegular() {
			found = append(found, path)
		}
	}
	slices.Sort(found)
	return found
}
