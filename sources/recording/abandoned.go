package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// RemoveAbandoned removes the recordings in a folder whose names match ours,
// and their lock files, except those that a running process writes. It follows
// no links and removes only regular files, since anything else was not made
// here. A missing folder is no error.
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

// removeUnwritten removes a recording that no process is writing.
func removeUnwritten(path string) error {
	held, err := lockBeside(path)
	if err != nil {
		return nil // another process is writing it
	}
	defer held.release()
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing the old recording %s: %w", path, bare(err))
	}
	return nil
}
