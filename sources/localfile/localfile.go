// Package localfile reads files that a configuration, a flag or the program
// itself names and that should be plain and small.
//
// Promises: opening never waits for another program (a pipe that nobody writes
// to), and reading always ends (even of a device).
package localfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/traintop/traintop/termtext"
)

// Settings is the largest allowed size of a settings file or of a file in which
// the program keeps its state.
const Settings = 4 << 20

// Theme is the largest allowed size of a theme: those of traintop and k9s have
// some KiB, and 4 MiB of YAML take many seconds.
const Theme = 256 << 10

// Read reads a plain file of at most limit bytes. The null device is empty.
func Read(path string, limit int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // read only
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, refused(path, fmt.Errorf("it has more than %s, which is no file of this kind; check what it is", termtext.Bytes(limit)))
	}
	return text, err
}

// Open opens a plain file, or the null device, to be read.
func Open(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = plain(path, info)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Check refuses a path that would make a library wait or read for ever. It leaves
// missing paths and folders to the library. A pipe that a shell opened for this
// program, <(command), is allowed: it has a writer.
func Check(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() || ofThisProgram(path) && info.Mode()&fs.ModeNamedPipe != 0 {
		return nil
	}
	return plain(path, info)
}

// ofThisProgram reports whether a path is a file descriptor that is already open.
func ofThisProgram(path string) bool {
	folder := filepath.Dir(path)
	return folder == "/dev/fd" || path == "/dev/stdin" || strings.HasPrefix(folder, "/proc/") && filepath.Base(folder) == "fd"
}

func plain(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	if null, err := os.Stat(os.DevNull); err == nil && os.SameFile(null, info) {
		return nil
	}
	return refused(path, errors.New(kind(info.Mode())+" and no plain file; name a file instead"))
}

func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "it is a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "it is a named pipe"
	case mode&fs.ModeSocket != 0:
		return "it is a socket"
	case mode&fs.ModeDevice != 0:
		return "it is a device"
	}
	return "it is something else"
}

func refused(path string, why error) error { return &fs.PathError{Op: "read", Path: path, Err: why} }
