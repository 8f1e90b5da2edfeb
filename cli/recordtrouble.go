package cli

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/traintop/traintop/cli/logsread"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// silentFor is how long a recorder waits for a first answer before it reports
// that there is none.
const silentFor = 10 * time.Second

// repeatAfter is how long a failing source with a changed message waits before
// it is reported again: some messages name a port or a time that changes with
// every try.
const repeatAfter = time.Minute

// recordTrouble reports what a recorder cannot read, and every change of that.
type recordTrouble struct {
	app       *app
	namespace string
	now       func() time.Time
	began     time.Time
	reported  map[string]reportedTrouble // by source
	remarks   map[string]string          // on sources that are read, by source
	silent    bool                       // that there is no answer was reported
	rotated   map[train.StreamID]int     // how often files were replaced, as far as that was reported
}

type reportedTrouble struct {
	state train.SourceState
	text  string
	at    time.Time
}

// look reports changes since the last call. Refusals wait until each source has
// given its first answer, to be reported in one line.
func (r *recordTrouble) look(s *store.Snapshot) {
	settled := s.Settled()
	if !settled {
		r.sayLate(s)
	}
	var news []train.Health
	for _, h := range s.Health() {
		was, known := r.reported[h.Source]
		switch {
		case h.State == train.SourceForbidden && !settled:
		case h.State.Trouble() && r.isNews(&h, was, known):
			r.note(&h)
			news = append(news, h)
		case !h.State.Trouble() && h.State.Settled() && known:
			delete(r.reported, h.Source)
			fmt.Fprintf(r.app.err, "traintop: %s: it is read again\n", termtext.Line(h.Source))
		}
		if h.State == train.SourceLive {
			news = append(news, r.remark(h)) // a refusal is not reported where one namespace was read
		}
	}
	r.app.report(news, r.namespace)
	r.lookAtLogs(s)
	r.sayRotated(s)
}

// sayRotated names the files that were emptied or replaced since the last call.
func (r *recordTrouble) sayRotated(s *store.Snapshot) {
	s.Logs(func(log *store.Log) bool {
		if log.Begun > r.rotated[log.ID] && log.ID.File != "" {
			if r.rotated == nil {
				r.rotated = map[train.StreamID]int{}
			}
			r.rotated[log.ID] = log.Begun
			fmt.Fprintf(r.app.err, "traintop: log %s: %s\n", termtext.Line(log.ID.String()), logsread.Rotated(log))
		}
		return true
	})
}

// remark returns a source that is read, without its remark where that was made before.
func (r *recordTrouble) remark(h train.Health) train.Health {
	if r.remarks[h.Source] == h.Text {
		h.Text = ""
		return h
	}
	if r.remarks == nil {
		r.remarks = map[string]string{}
	}
	r.remarks[h.Source] = h.Text
	return h
}

// mostNamedLogs is how many unreadable logs are named at once.
const mostNamedLogs = 8

// lookAtLogs names logs that cannot be read now, and those that can be again.
func (r *recordTrouble) lookAtLogs(s *store.Snapshot) {
	named, more := 0, 0
	for _, h := range logsread.Health(s) {
		was, known := r.reported[h.Source]
		switch {
		case h.State.Trouble() && r.isNews(&h, was, known):
			r.note(&h)
			if named++; named > mostNamedLogs {
				more++
				continue
			}
			fmt.Fprintf(r.app.err, "traintop: %s: %s\n", termtext.Line(h.Source), termtext.Line(h.Text))
		case h.State == train.SourceLive && known:
			delete(r.reported, h.Source)
			fmt.Fprintf(r.app.err, "traintop: %s: it is read again\n", termtext.Line(h.Source))
		}
	}
	if more > 0 {
		fmt.Fprintf(r.app.err, "traintop: %s cannot be read\n", termtext.More(more, "log"))
	}
}

// sayUnreadLogs names, once a recording ends, the logs that could not be read
// then.
func (a *app) sayUnreadLogs(s *store.Snapshot) {
	var lines []string
	for _, h := range logsread.Health(s) {
		if h.State.Trouble() || h.Text == logsread.NotComeYet {
			lines = append(lines, h.Source+": "+h.Text)
		}
	}
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(a.err, "traintop: at the end %d %s could not be read:\n", len(lines), map[bool]string{true: "log", false: "logs"}[len(lines) == 1])
	for _, line := range termtext.FewLines(lines, mostNamedLogs) {
		fmt.Fprintf(a.err, "  %s\n", termtext.Line(line))
	}
}

func (r *recordTrouble) isNews(h *train.Health, was reportedTrouble, known bool) bool {
	return !known || was.state != h.State || was.text != h.Text && r.now().Sub(was.at) >= repeatAfter
}

func (r *recordTrouble) note(h *train.Health) {
	if r.reported == nil {
		r.reported = map[string]reportedTrouble{}
	}
	r.reported[h.Source] = reportedTrouble{h.State, h.Text, r.now()}
}

// sayLate names, once, the sources that gave no answer for some time.
func (r *recordTrouble) sayLate(s *store.Snapshot) {
	if waiting := unanswered(s); !r.silent && len(waiting) > 0 && r.now().Sub(r.began) >= silentFor {
		r.silent = true
		fmt.Fprintf(r.app.err, "traintop: no answer yet from %s; what they know is missing until they give one\n", listed(waiting))
	}
}

func unanswered(s *store.Snapshot) (sources []string) {
	for _, h := range s.Health() {
		if !h.State.Settled() {
			sources = append(sources, h.Source)
		}
	}
	return sources
}

// unread are the sources that cannot be read now.
func unread(s *store.Snapshot) (sources []string) {
	for _, h := range s.Health() {
		if h.State.Trouble() || !h.State.Settled() {
			sources = append(sources, h.Source)
		}
	}
	return sources
}

// listed names some of many sources.
func listed(sources []string) string {
	const most = 8
	slices.Sort(sources)
	return termtext.Line(termtext.Few(sources, most))
}

// tally is a sink that records whether anything was read. An empty list counts:
// it was read.
type tally struct{ something atomic.Bool }

// Apply implements sources.Sink.
func (t *tally) Apply(events ...store.Event) {
	if t.something.Load() {
		return
	}
	for _, event := range events {
		switch event.(type) {
		case store.Listed, store.Set, store.Logged, store.Measured, store.Backfilled, store.Used:
			t.something.Store(true)
		}
	}
}

// nothingRecorded is the error of a recording without anything in it.
func nothingRecorded(s *store.Snapshot) error {
	why := ""
	for _, h := range s.Health() {
		if why = cmp.Or(why, h.Text); h.State.Trouble() && h.Text != "" {
			why = h.Text
			break
		}
	}
	if why == "" {
		why = "no source gave an answer"
	}
	return fmt.Errorf("nothing was recorded: %s", termtext.Line(why))
}
