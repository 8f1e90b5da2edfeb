package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/alerts/receivers"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
)

// alertMarks is the file of the incidents of a cluster that people took or muted
// ($XDG_STATE_HOME/traintop/watch/CONTEXT.marks.json, with the address of the cluster
// behind the context where that file is of another one).
func alertMarks(s *session) alerts.MarksFile {
	name := cmp.Or(s.context, s.place) // in a pod there is no context
	file := func(scope ...string) string {
		return filepath.Join(xdg.StateHome, "traintop", "watch", scopeName(scope...)+".marks.json")
	}
	return alerts.MarksFile{Path: file(name), Beside: file(name, "", "", s.place), Address: s.place}
}

// marksAgain is how often a watcher reads what people marked on screens.
const marksAgain = 5 * time.Second

// adoptMarks makes a watcher heed what people marked on screens: nothing is sent
// about what is muted, and only the end of what is taken.
func (a *app) adoptMarks(file alerts.MarksFile, w *alerts.Watcher) func(*store.Snapshot, *diagnose.Report) {
	var last time.Time
	said := ""
	return func(s *store.Snapshot, _ *diagnose.Report) {
		if s.Now.Sub(last) < marksAgain {
			return
		}
		last = s.Now
		marks, _, err := file.Read()
		if err != nil {
			if text := err.Error(); text != said {
				said = text
				a.sayLine(text)
			}
			return
		}
		said = ""
		w.Adopt(marks)
	}
}

// ringTerminal is what to write to this terminal so that it rings.
func ringTerminal(id, text string) string {
	return receivers.TerminalSequence(receivers.TerminalStyle(os.Getenv), os.Getenv("TMUX") != "", id, text)
}
