package recording

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// RemoveAbandoned removes the recordings of a folder, and the locks beside
// them, that no running process writes. No folder is no error.
func RemoveAbandoned(folder, pattern string) error {
	paths, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil {
		return fmt.Errorf("looking for old recordings in %s: %w", folder, err)
	}
	var failed []error
	for _, path := range paths {
		if strings.HasSuffix(path, lockSuffix) {
			continue
		}
		held, err := lockBeside(path)
		if err != nil {
			continue // somebody writes it
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			failed = append(failed, fmt.Errorf("removing the old recording %s: %w", path, bare(err)))
		}
		held.release()
	}
	return errors.Join(failed...)
}
