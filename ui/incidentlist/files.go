package incidentlist

import (
	"os"
	"time"

	"github.com/traintop/traintop/alerts"
)

// readAgain is how often a file is looked at for changes at most.
const readAgain = 5 * time.Second

// files are those that a session shares with `traintop watch` and with other
// screens.
type files struct {
	marksPath, statePath string
	// cluster is the one that the state has to be of.
	cluster string
	// marks are those of the file and those that could not be written.
	marks alerts.Marks
	state alerts.State

	marksSeen, stateSeen seen
	// problems are those to say next, and said the last one of each file.
	problems []string
	said     map[string]string
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
	if err != nil { // there is none yet, or reading it says what is wrong
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
	if f.marksSeen.due(f.marksPath, now) {
		marks, err := alerts.ReadMarks(f.marksPath)
		f.marks.Merge(marks)
		f.report(f.marksPath, err)
	}
	if f.stateSeen.due(f.statePath, now) {
		state, err := alerts.ReadState(f.statePath)
		f.report(f.statePath, err)
		if err == nil && (state.Cluster == f.cluster || state.Cluster == "") {
			f.state = state
		}
	}
}

// mark notes marks, and writes them to the file beside those that others wrote
// meanwhile.
func (f *files) mark(set alerts.Marks, now time.Time) {
	if f.marksPath == "" {
		f.marks.Merge(set)
		return
	}
	written, err := alerts.ReadMarks(f.marksPath)
	f.marks.Merge(written)
	f.marks.Merge(set)
	if err == nil {
		err = alerts.WriteMarks(f.marksPath, f.marks, now)
	}
	f.report(f.marksPath, err)
}

// report says a failure once, until the file is well again.
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
