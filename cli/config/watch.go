package config

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// How long after an event the files are read: an editor writes a file in
// several steps. How often they are looked at where the system does not report
// changes: their folder does not exist yet, or is on a file system that cannot.
const (
	settle    = 150 * time.Millisecond
	lookEvery = 2 * time.Second
)

// Watch calls changed whenever one of the files or folders was changed, made or
// removed, until ctx ends. files is asked again after each change.
func Watch(ctx context.Context, files func() []string, changed func()) {
	reports, err := fsnotify.NewWatcher()
	if err == nil {
		defer func() { _ = reports.Close() }()
	}
	before := stateOf(files())
	for {
		if !await(ctx, watchFolders(reports, files()), reports) {
			return
		}
		if now := stateOf(files()); now != before {
			before = now
			changed()
		}
	}
}

// watchFolders watches the folders of files: an editor replaces a file, and a
// watch of the file itself would end with the old one. It is false where one
// cannot be watched.
func watchFolders(reports *fsnotify.Watcher, files []string) bool {
	if reports == nil {
		return false
	}
	all := true
	for _, path := range files {
		folder := path
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			folder = filepath.Dir(path)
		}
		if target, err := filepath.EvalSymlinks(path); err == nil {
			all = reports.Add(filepath.Dir(target)) == nil && all
		}
		all = reports.Add(folder) == nil && all
	}
	return all
}

// await waits for a report, or some time where not everything is watched. It is
// false when ctx has ended.
func await(ctx context.Context, watched bool, reports *fsnotify.Watcher) bool {
	var events chan fsnotify.Event
	var errs chan error
	if reports != nil {
		events, errs = reports.Events, reports.Errors
	}
	var look <-chan time.Time
	if !watched {
		timer := time.NewTimer(lookEvery)
		defer timer.Stop()
		look = timer.C
	}
	select {
	case <-ctx.Done():
		return false
	case <-look:
		return true
	case <-events:
	case <-errs: //nolint:errcheck // too many reports: the files are looked at
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(settle):
		return true
	}
}

// stateOf is a text that differs when one of the files, or of those in the
// folders, differs.
func stateOf(files []string) string {
	var state strings.Builder
	note := func(path string) {
		if info, err := os.Stat(path); err == nil {
			fmt.Fprintf(&state, "%s %d %s\n", path, info.Size(), info.ModTime())
		}
	}
	for _, path := range files {
		note(path)
		entries, _ := os.ReadDir(path) // none for a file
		for _, entry := range entries {
			note(filepath.Join(path, entry.Name()))
		}
	}
	return state.String()
}
