// Package incidentlist keeps the incidents of what one session of the screen
// shows. It makes them of each diagnosis as `traintop watch` does, so that both
// give one incident the same ID, and joins what a watcher on this machine sent
// and what people marked.
//
// A List reads and writes files: it is used off the event loop.
package incidentlist

import (
	"slices"
	"sync"
	"time"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Options select which incidents there are.
type Options struct {
	// Cluster is a part of the IDs of incidents: that of `traintop watch`.
	Cluster string
	// Rules are all that hold, alerts.RulesFrom those of the configuration.
	Rules []alerts.Rule
	// Marks is the file of what people marked, and State that of `traintop
	// watch -A`, beside which are those of watchers of some jobs; "" for none.
	Marks alerts.MarksFile
	State string
	// Address is that of the cluster of which states are read, "" for any.
	Address string
}

// List has the incidents of one session. Its methods may be called from several
// goroutines.
type List struct {
	o     Options
	files files

	mu      sync.Mutex
	watcher *alerts.Watcher // nil before the first look
	opened  outlet
	looked  time.Time // the instant of the last look
	own     []alerts.Incident
	all     []alerts.Incident
	// seen are those of before the last jump back, ever these and all.
	seen []sighting
	ever []alerts.Incident
	// dated are openings that lie between two looks.
	dated   map[alerts.IncidentID]time.Time
	version uint64
}

// Found is the list after a look or a mark.
type Found struct {
	// Incidents are the newest first. Nobody may change them.
	Incidents []alerts.Incident
	// Seen are those that the session saw at any instant, also after the one that
	// is shown. Nobody may change them.
	Seen []alerts.Incident
	// Version is another one when they read differently.
	Version uint64
	// Opened are the notices of incidents that opened and were not there at the
	// first look.
	Opened []alerts.Notice
	// Problems are failures to read or write a file, each reported once.
	Problems []string
}

// With many jobs, of which thousands may be in trouble, a look takes some 50 ms:
// there is one each second at most, whatever changes meanwhile.
const (
	many       = 2000
	looksApart = time.Second
)

// away is the observation of an instant at which there was no trouble, so long before a
// jump's end as an incident's trouble has to be away: nobody waits behind a jump, so that
// what is not there at its end is over. A trouble that is still there goes on.
func away(end time.Time) alerts.Observation {
	return alerts.Observation{At: end.Add(-alerts.SettleFor), Phase: func(train.JobID) (train.Phase, bool) { return train.Running, true }}
}

// New makes a list without incidents.
func New(o Options) *List {
	o.Rules = slices.Clone(o.Rules)
	for i := range o.Rules {
		o.Rules[i].Receivers = nil // the screen gets all
	}
	return &List{o: o, files: files{marksFile: o.Marks, marks: alerts.Marks{}, statePath: o.State, cluster: o.Cluster, address: o.Address}}
}

// Look takes the diagnosis of a snapshot. One of an earlier instant than the
// last begins anew: a replay jumped back. The incidents seen until then are kept.
func (l *List) Look(s *store.Snapshot, r *diagnose.Report) Found {
	l.mu.Lock()
	defer l.mu.Unlock()
	since := s.Now.Sub(l.looked)
	switch {
	case l.watcher == nil || since < 0:
		l.seen = remember(l.seen, l.own, l.looked)
		l.begin()
	case since > 0 && since < looksApart && len(s.Jobs()) > many:
		return l.found()
	}
	return l.look(s, r)
}

// LookBack takes the diagnosis of a snapshot from before a job was deleted, however short
// ago the last look was.
func (l *List) LookBack(s *store.Snapshot, r *diagnose.Report) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.watcher != nil && !s.Now.Before(l.looked) {
		l.look(s, r)
	}
}

// look is one look. mu is held.
func (l *List) look(s *store.Snapshot, r *diagnose.Report) Found {
	before := l.looked
	l.looked = s.Now
	l.files.read(s.Now)
	l.watcher.Adopt(l.files.marks)
	o := observationOf(s, r)
	if !before.IsZero() && s.Now.Sub(before) > jumped && o.Unread == "" {
		l.watcher.Look(away(s.Now))
	}
	l.watcher.Look(o)
	l.own = l.watcher.Incidents()
	l.date(before)
	recognise(l.own, l.seen)
	return l.found()
}

// begin starts a watcher: what it sees first was there before.
func (l *List) begin() {
	l.dated = map[alerts.IncidentID]time.Time{}
	l.watcher, l.opened = alerts.NewWatcher(l.o.Cluster, l.o.Rules, func(string) {}), outlet{}
	_ = l.watcher.Begin("", []alerts.Outlet{&l.opened}) // it reads no file, so nothing can fail
}

// observationOf returns the part of a diagnosis that a watcher gets. While the
// cluster does not answer nothing begins or ends.
func observationOf(s *store.Snapshot, r *diagnose.Report) alerts.Observation {
	o := alerts.Observation{At: s.Now, Phase: func(id train.JobID) (train.Phase, bool) {
		job := s.Job(id)
		if job == nil {
			return "", false
		}
		return job.Phase, true
	}}
	if s.Silent() {
		o.Unread = unreadWords(s)
		return o
	}
	o.Troubles = alerts.Troubles(s, r)
	return o
}

// unreadWords reports why the cluster cannot be read.
func unreadWords(s *store.Snapshot) string {
	for _, h := range s.Health() {
		if h.Source == "kube" && h.Text != "" {
			return h.Text
		}
	}
	return "it does not answer"
}

// Mark sets what a person marked on incidents, as of the last look.
func (l *List) Mark(ids []alerts.IncidentID, set func(mark *alerts.Mark, now time.Time)) Found {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.looked
	marks := alerts.Marks{}
	for i := range l.all {
		if in := &l.all[i]; slices.Contains(ids, in.ID) {
			mark := alerts.Mark{Acknowledged: in.Acknowledged, Muted: in.Muted}
			set(&mark, now)
			mark.Changed = now
			if before := l.files.marks[in.ID].Changed; !now.After(before) { // two keys between two looks
				mark.Changed = before.Add(time.Millisecond)
			}
			marks[in.ID] = mark
		}
	}
	l.files.mark(marks, now)
	if l.watcher != nil {
		l.watcher.Adopt(l.files.marks)
	}
	return l.found()
}

// found joins what is known from all sides.
func (l *List) found() Found {
	all := join(l.own, l.files.states, l.files.marks, l.looked)
	if l.version == 0 || !slices.EqualFunc(l.all, all, sameToRead) {
		l.all, l.ever = all, all
		if len(l.seen) > 0 {
			l.ever = incidentsOf(remember(l.seen, all, l.looked))
		}
		l.version++
	}
	f := Found{Incidents: l.all, Seen: l.ever, Version: l.version, Problems: l.files.problems}
	for _, n := range l.opened.take() {
		if n.Change == alerts.Opened {
			f.Opened = append(f.Opened, n)
		}
		if l.watcher != nil {
			l.watcher.Delivered(n, alerts.Delivery{Receiver: l.opened.Name(), Change: n.Change, At: n.At})
		}
	}
	l.files.problems = nil
	return f
}

// outlet collects the notices of a watcher.
type outlet struct{ notices []alerts.Notice }

// Name is that of no receiver: configured names have no blanks.
func (*outlet) Name() string { return "the screen" }

// Queue implements alerts.Outlet.
func (o *outlet) Queue(n alerts.Notice) { o.notices = append(o.notices, n) }

func (o *outlet) take() []alerts.Notice {
	taken := o.notices
	o.notices = nil
	return taken
}
