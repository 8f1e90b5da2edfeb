package dump

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/traintop/traintop/sources/localfile"
)

// disk is the file system of the paths: this machine's, or files inside the
// program.
type disk interface {
	Stat(name string) (fs.FileInfo, error)
	ReadDir(name string) ([]fs.DirEntry, error) // sorted by name
	// Open opens a plain file and never waits: what has the name by now may be a
	// pipe that nobody writes to.
	Open(name string) (io.ReadCloser, error)
	// OpenStream opens anything else; of a named pipe it waits for the writer.
	OpenStream(name string) (io.ReadCloser, error)
	Join(folder, name string) string
	// Real resolves links, so that a folder reached twice is recognised.
	Real(name string) (string, error)
}

type machine struct{}

func (machine) Stat(name string) (fs.FileInfo, error)         { return os.Stat(name) }
func (machine) ReadDir(name string) ([]fs.DirEntry, error)    { return os.ReadDir(name) }
func (machine) Open(name string) (io.ReadCloser, error)       { return localfile.Open(name) }
func (machine) OpenStream(name string) (io.ReadCloser, error) { return os.Open(name) }
func (machine) Join(folder, name string) string               { return filepath.Join(folder, name) }
func (machine) Real(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(real)
}

type embedded struct{ files fs.FS }

func (e embedded) Stat(name string) (fs.FileInfo, error)         { return fs.Stat(e.files, name) }
func (e embedded) ReadDir(name string) ([]fs.DirEntry, error)    { return fs.ReadDir(e.files, name) }
func (e embedded) Open(name string) (io.ReadCloser, error)       { return e.files.Open(name) }
func (e embedded) OpenStream(name string) (io.ReadCloser, error) { return e.files.Open(name) }
func (embedded) Join(folder, name string) string                 { return path.Join(folder, name) }
func (embedded) Real(name string) (string, error)                { return path.Clean(name), nil }

// splitRank splits the rank off "3=rank3.log"; it returns -1 without one. A
// path that exists as written has no rank, whatever characters it has.
func splitRank(d disk, arg string) (rank int, name string) {
	before, after, found := strings.Cut(arg, "=")
	rank, err := strconv.Atoi(before)
	if !found || err != nil || rank < 0 {
		return -1, arg
	}
	if _, err := d.Stat(arg); err == nil {
		return -1, arg
	}
	return rank, after
}

// explainOpen explains why a path cannot be read, without the path, which
// messages put before it.
func explainOpen(err error) error {
	var at *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &unread{"no such file or folder; check the path", err}
	case errors.Is(err, fs.ErrPermission):
		return &unread{"not readable by this user; check its permissions", err}
	case errors.As(err, &at):
		return fmt.Errorf("cannot %s: %w", at.Op, at.Err)
	}
	return err
}

// unread replaces an operating system's error text by ours.
type unread struct {
	text  string
	cause error
}

func (u *unread) Error() string { return u.text }
func (u *unread) Unwrap() error { return u.cause }
