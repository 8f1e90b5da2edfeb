package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"

	"github.com/gofrs/flock"
)

// lock keeps other recorders away from a recording. It is an operating system
// lock on a file beside the recording, which ends with the process, however
// that ends. It survives trimming, which replaces the recording by a new file.
type lock struct {
	held *flock.Flock
	// itself is the lock on the recording, which detects a recorder that
	// opened the file under another name (a hard link). It is nil on Windows,
	// where it would block readers, and on file systems without locks.
	itself *flock.Flock
	// noted is the same file, into which the holder writes its name.
	noted *os.File
}

// lockSuffix ends the name of the lock file.
const lockSuffix = ".lock"

// holderSize is the size of the holder's name. It follows the first byte of
// the file, which is the byte that Windows locks.
const holderSize = 256

// HeldError reports that another process holds the lock of a file.
type HeldError struct {
	// Holder is the process, as far as it is known.
	Holder string
}

func (e *HeldError) Error() string {
	return e.Holder + " writes it already; end it first, or record into another file"
}

// LockBeside keeps other processes away from a file that only one may write, such as
// the state of a watcher, until release is called or this process ends; the file need
// not exist, and its folder is made. The error is a *HeldError where another process
// has it. On a file system without locks it keeps nobody away, and is no error.
func LockBeside(path string) (release func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	l, err := lockBeside(path)
	if err != nil {
		return nil, err
	}
	return l.release, nil
}

// lockBeside takes the lock of a recording. On a file system without locks
// nothing keeps two recorders apart; that is no error. A file of that name that
// is no lock stays as it is, and so does what a symbolic link points to.
func lockBeside(path string) (*lock, error) {
	if followed, err := filepath.EvalSymlinks(path); err == nil {
		path = followed // two names of one file are one recording
	}
	name := path + lockSuffix
	for {
		if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
			return nil, notALock(name)
		}
		l := &lock{held: flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDWR|noFollow), flock.SetPermissions(0o600))}
		got, err := l.held.TryLock()
		if errors.Is(err, errors.ErrUnsupported) {
			_ = l.held.Close() // it holds nothing
			return &lock{}, nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("writing %s: its folder does not exist; make it, or name another", path)
		}
		if err != nil {
			return nil, fmt.Errorf("locking %s: %w", name, bare(err))
		}
		if !got {
			return nil, &HeldError{holder(name)}
		}
		if l.isStillThere(name) {
			if err := l.sign(name); err != nil {
				_ = l.held.Close() // it holds a file of another program
				return nil, err
			}
			return l, nil
		}
		_ = l.held.Close() // its previous holder removed the file on exit; the next try creates it again
	}
}

// isStillThere reports whether the locked file is still the one under this
// name.
func (l *lock) isStillThere(name string) bool {
	held, err := l.held.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(name)
	return err == nil && os.SameFile(held, named)
}

func notALock(name string) error {
	return fmt.Errorf("%s is not a lock of traintop, and stays as it is; move it away, or record into another file", name)
}

// lockItself locks the file that has the recording's name now.
func (l *lock) lockItself(path string) error {
	if runtime.GOOS == "windows" || l.held == nil {
		return nil
	}
	itself := flock.New(path, flock.SetFlag(os.O_RDWR))
	got, err := itself.TryLock()
	if err != nil || !got {
		_ = itself.Close() // it holds nothing
	}
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return nil
	case err != nil:
		return fmt.Errorf("locking %s: %w", path, bare(err))
	case !got:
		return errors.New("another process writes it already, under another name (a hard link); end that one first, or record into another file")
	}
	l.freeItself()
	l.itself = itself
	return nil
}

func (l *lock) freeItself() {
	if l.itself != nil {
		_ = l.itself.Close() // this releases the lock
		l.itself = nil
	}
}

// isLocked reports whether a recorder holds the lock of a recording.
func isLocked(path string) bool {
	if followed, err := filepath.EvalSymlinks(path); err == nil {
		path = followed
	}
	if _, err := os.Stat(path + lockSuffix); err != nil {
		return false
	}
	asked := flock.New(path+lockSuffix, flock.SetFlag(os.O_RDONLY))
	got, err := asked.TryRLock()
	_ = asked.Close() // releases the lock if it got it
	return err == nil && !got
}

// sign writes the holder's name into the lock file, unless that is a file of
// another program. If it cannot be written, other recorders see no name.
func (l *lock) sign(name string) error {
	file, err := os.OpenFile(name, os.O_RDWR|noFollow, 0o600)
	if err != nil {
		return nil
	}
	held, err := l.held.Stat()
	opened, errOpened := file.Stat()
	if err != nil || errOpened != nil || !os.SameFile(held, opened) || !isLock(file, opened.Size()) {
		_ = file.Close() // nothing was written
		return notALock(name)
	}
	text := fmt.Sprintf("process %d", os.Getpid())
	if host, err := os.Hostname(); err == nil && signature.MatchString(text+" on "+host) {
		text += " on " + host
	}
	padded := bytes.Repeat([]byte{' '}, holderSize)
	copy(padded, text)
	padded[holderSize-1] = '\n'
	_, _ = file.WriteAt(padded, 1)
	l.noted = file
	return nil
}

// isLock reports whether a file is empty, or has what sign writes.
func isLock(file io.ReaderAt, size int64) bool {
	if size == 0 {
		return true
	}
	text := make([]byte, 1+holderSize)
	n, _ := file.ReadAt(text, 0) // missing bytes are no lock
	return size == int64(n) && n == len(text) && text[0] == 0 && signature.Match(bytes.TrimSpace(text[1:]))
}

// holder returns the name of the lock's holder, as far as it is known.
func holder(name string) string {
	text := make([]byte, holderSize)
	file, err := os.Open(name)
	if err == nil {
		n, _ := file.ReadAt(text, 1) // missing bytes are unknown
		_ = file.Close()             // read only
		text = bytes.TrimSpace(text[:n])
	}
	if err != nil || !signature.Match(text) {
		return "another process"
	}
	return string(text)
}

// signature matches the name that sign writes; anybody may have written into
// the file.
var signature = regexp.MustCompile(`^process \d{1,10}( on [A-Za-z0-9._-]{1,200})?$`)

// release lets other recorders use the file.
func (l *lock) release() {
	l.freeItself()
	if l.held == nil {
		return
	}
	name := l.held.Path()
	if l.noted != nil {
		_ = l.noted.Close() // the name no longer counts
	}
	if l.isStillThere(name) {
		_ = os.Remove(name) // it may stay: an unlocked lock file has no effect
	}
	_ = l.held.Close()
}
