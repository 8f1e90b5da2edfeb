package cli

import (
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/alerts/receivers"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/views"
)

// alertMarks is the file of the incidents of a context that people took or muted
// ($XDG_STATE_HOME/traintop/watch/CONTEXT.marks.json).
func alertMarks(context string) string {
	return filepath.Join(xdg.StateHome, "traintop", "watch", views.FileName(context)+".marks.json")
}

// marksAgain is how often a watcher reads what people marked on screens.
const marksAgain = 5 * time.Second

// adoptMarks makes a watcher heed what people marked on screens: nothing is sent
// about what is muted, and only the end of what is taken.
func (a *app) adoptMarks(path string, w *alerts.Watcher) func(*store.Snapshot, *diagnose.Report) {
	var last time.Time
	said := ""
	return func(s *store.Snapshot, _ *diagnose.Report) {
		if s.Now.Sub(last) < marksAgain {
			return
		}
		last = s.Now
		marks, err := alerts.ReadMarks(path)
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
