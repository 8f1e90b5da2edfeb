package recording

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"

	"github.com/gofrs/flock"
)

// lock keeps other recorders away from a recording: a lock of the operating
// system on a file beside it, which ends with the process however that ends.
// It stays when another file takes the place of the recording, whose oldest
// part is dropped then.
type lock struct {
	held *flock.Flock
	// itself is the lock on the recording, which finds a recorder that knows the
	// file by another name (a hard link); nil on Windows, where it would keep
	// readers away, and where the file system knows no locks.
	itself *flock.Flock
	// noted is the same file, which tells others who holds it.
	noted *os.File
}

// lockSuffix is what the name of the file beside a recording ends with.
const lockSuffix = ".lock"

// holderSize is how many bytes tell who holds a lock. They stand behind the
// first byte of the file, which is the one that Windows locks.
const holderSize = 256

// lockBeside takes the lock of a recording. Where the file system knows no
// locks nothing keeps two recorders apart, and that is no error.
func lockBeside(path string) (*lock, error) {
	if followed, err := filepath.EvalSymlinks(path); err == nil {
		path = followed // two names of one file are one recording
	}
	name := path + lockSuffix
	for {
		l := &lock{held: flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))}
		got, err := l.held.TryLock()
		if errors.Is(err, errors.ErrUnsupported) {
			_ = l.held.Close() // it holds nothing
			return &lock{}, nil
		}
		if err != nil {
			return nil, fmt.Errorf("locking %s: %w", name, bare(err))
		}
		if !got {
			return nil, fmt.Errorf("%s writes it already; end it first, or record into another file", holder(name))
		}
		if l.isStillThere(name) {
			l.sign(name)
			return l, nil
		}
		_ = l.held.Close() // the one before removed it when it ended; the next try makes it anew
	}
}

// isStillThere is false for a lock on a file that was removed meanwhile.
func (l *lock) isStillThere(name string) bool {
	held, err := l.held.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(name)
	return err == nil && os.SameFile(held, named)
}

// lockItself locks the file that stands under the name of a recording now.
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
		_ = l.itself.Close() // it ends the lock
		l.itself = nil
	}
}

// isLocked reports whether a recorder holds the lock beside a recording.
func isLocked(path string) bool {
	if followed, err := filepath.EvalSymlinks(path); err == nil {
		path = followed
	}
	if _, err := os.Stat(path + lockSuffix); err != nil {
		return false
	}
	asked := flock.New(path+lockSuffix, flock.SetFlag(os.O_RDONLY))
	got, err := asked.TryRLock()
	_ = asked.Close() // it gives back what it got
	return err == nil && !got
}

// sign tells others who holds the lock. Without it they are told less.
func (l *lock) sign(name string) {
	file, err := os.OpenFile(name, os.O_RDWR, 0o600)
	if err != nil {
		return
	}
	text := fmt.Sprintf("process %d", os.Getpid())
	if host, err := os.Hostname(); err == nil {
		text += " on " + host
	}
	padded := bytes.Repeat([]byte{' '}, holderSize)
	copy(padded, text)
	padded[holderSize-1] = '\n'
	_, _ = file.WriteAt(padded, 1)
	l.noted = file
}

// holder says who holds a lock, as far as it is known.
func holder(name string) string {
	text := make([]byte, holderSize)
	file, err := os.Open(name)
	if err == nil {
		n, _ := file.ReadAt(text, 1) // what is missing is not known
		_ = file.Close()             // read only
		text = bytes.TrimSpace(text[:n])
	}
	if err != nil || !signature.Match(text) {
		return "another process"
	}
	return string(text)
}

// signature is how a holder signs; anybody may have written into the file.
var signature = regexp.MustCompile(`^process \d{1,10}( on [A-Za-z0-9._-]{1,200})?$`)

// release lets others record into the file.
func (l *lock) release() {
	l.freeItself()
	if l.held == nil {
		return
	}
	name := l.held.Path()
	if l.noted != nil {
		_ = l.noted.Close() // what it says no longer counts
	}
	_ = os.Remove(name) // it may stay: a file that nobody locked is none
	_ = l.held.Close()
}
