package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// RemoveAbandoned removes the recordings of a folder that are named as ours
// are, and the locks beside them, unless a running process writes them. A
// folder that is a link leads to somebody else's, and a file that is none (a
// link, a folder) was not made here: both stay as they are. No folder is no
// error.
func RemoveAbandoned(folder string, ours *regexp.Regexp) error {
	if info, err := os.Lstat(folder); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("looking for old recordings in %s: %w", folder, bare(err))
	}
	var failed []error
	for _, entry := range entries {
		if entry.Type().IsRegular() && ours.MatchString(entry.Name()) {
			failed = append(failed, removeUnwritten(filepath.Join(folder, entry.Name())))
		}
	}
	return errors.Join(failed...)
}

// removeUnwritten removes a recording that nobody writes.
func removeUnwritten(path string) error {
	held, err := lockBeside(path)
	if err != nil {
		return nil // somebody writes it
	}
	defer held.release()
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing the old recording %s: %w", path, bare(err))
	}
	return nil
}
