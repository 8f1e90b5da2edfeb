package incidentlist

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/traintop/traintop/alerts"
)

// readAgain is how often a file is looked at for changes at most.
const readAgain = 5 * time.Second

// files are those that a session shares with `traintop watch` and with other
// screens.
type files struct {
	marksFile alerts.MarksFile
	statePath string
	// cluster and address are of the one that states have to be of.
	cluster, address string
	// marks are those of the file and those that could not be written.
	marks                 alerts.Marks
	marksSeen, besideSeen seen
	// states are those of watchers, in the order of their files' names, which were
	// listed then.
	states []*savedState
	listed time.Time
	// problems are those to report next, and said the last one of each file.
	problems []string
	said     map[string]string
}

// savedState is what one watcher saved last.
type savedState struct {
	path  string
	seen  seen
	state alerts.State
}

// seen is the version of a file that was read.
type seen struct {
	looked, changed time.Time
	size            int64
}

// due reports whether a file is to be read: it changed since the last time.
func (s *seen) due(path string, now time.Time) bool {
	if path == "" || !s.looked.IsZero() && now.Sub(s.looked) < readAgain {
		return false
	}
	s.looked = now
	info, err := os.Stat(path)
	if err != nil { // there is none yet, or reading it reports what is wrong
		*s = seen{looked: now}
		return !os.IsNotExist(err)
	}
	if info.ModTime().Equal(s.changed) && info.Size() == s.size {
		return false
	}
	s.changed, s.size = info.ModTime(), info.Size()
	return true
}

// read reads what changed.
func (f *files) read(now time.Time) {
	if changed, beside := f.marksSeen.due(f.marksFile.Path, now), f.besideSeen.due(f.marksFile.Beside, now); changed || beside {
		marks, path, err := f.marksFile.Read()
		f.marks.Merge(marks)
		f.report(path, err)
	}
	f.listStates(now)
	for _, saved := range f.states {
		if !saved.seen.due(saved.path, now) {
			continue
		}
		state, err := alerts.ReadState(saved.path)
		f.report(saved.path, err)
		if err == nil && (state.Cluster == f.cluster || state.Cluster == "") && (state.Address == "" || f.address == "" || state.Address == f.address) {
			saved.state = state
		}
	}
}

// mostStates bounds how many watchers of one cluster are joined.
const mostStates = 100

// listStates looks for states of watchers that began meanwhile: that of all
// namespaces, and those of some jobs, whose names have more behind that of the
// context.
func (f *files) listStates(now time.Time) {
	if f.statePath == "" || !f.listed.IsZero() && now.Sub(f.listed) < readAgain {
		return
	}
	f.listed = now
	folder, context := filepath.Dir(f.statePath), strings.TrimSuffix(filepath.Base(f.statePath), stateEnding)
	entries, _ := os.ReadDir(folder) // where there is none, no watcher has saved anything
	known := make(map[string]*savedState, len(f.states))
	for _, saved := range f.states {
		known[saved.path] = saved
	}
	f.states = f.states[:0]
	for _, entry := range entries {
		name := entry.Name()
		isState := name == context+stateEnding || strings.HasPrefix(name, context+"_") && strings.HasSuffix(name, stateEnding) && !strings.HasSuffix(name, marksEnding)
		if !isState || len(f.states) >= mostStates {
			continue
		}
		path := filepath.Join(folder, name)
		saved := known[path]
		if saved == nil {
			saved = &savedState{path: path}
		}
		f.states = append(f.states, saved)
	}
}

// Endings of the names of files with states, and with marks.
const stateEnding, marksEnding = ".json", ".marks.json"

// mark notes marks, and writes them to the file beside those that others wrote
// meanwhile.
func (f *files) mark(set alerts.Marks, now time.Time) {
	f.marks.Merge(set)
	if f.marksFile.Path == "" {
		return
	}
	all, err := f.marksFile.Write(f.marks, now)
	f.marks.Merge(all)
	f.report(f.marksFile.Path, err)
}

// report shows a failure once, until the file is well again.
func (f *files) report(path string, err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text != "" && f.said[path] != text {
		f.problems = append(f.problems, text)
	}
	if f.said == nil {
		f.said = map[string]string{}
	}
	f.said[path] = text
}
