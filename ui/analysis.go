package ui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/lastlook"
	"github.com/traintop/traintop/ui/incidentlist"
)

// The diagnosis pauses between two runs, so that a cluster that changes all the
// time costs a bounded share of a core; and since time alone makes GPUs idle
// and jobs hang, it also runs again when nothing changed for a while.
//
// While sources list for the first time, each page of objects makes a new
// snapshot, missing objects are only late, and memory is full of list pages:
// the first run waits for the lists, though not for a source that never
// answers.
const (
	analysisRest     = 500 * time.Millisecond
	analysisAgain    = 5 * time.Second
	analysisPatience = 5 * time.Second
	// analysisMost is how often the first run waits while objects keep
	// arriving.
	analysisMost = 6
)

// analysis is the diagnosis of the current store. It runs off the event loop,
// one run at a time, on a snapshot of its own; changes during a run wait for
// the next one.
type analysis struct {
	report *diagnose.Report // nil before the first
	gpus   gpuSum
	// looked is the snapshot of the newest completed run, nil before the first.
	looked           *store.Snapshot
	running, resting bool
	// filed is the version of the probe answers that the run used.
	filed uint64
	// waits counts how often the first run has waited for sources to list, and
	// listed is the version of the objects at the last time.
	waits  int
	listed uint64
	runs   int
	// broken is the panic of the newest run, "" for none: each bug is reported
	// once.
	broken string
}

// analyse starts a run, unless one is running or has just ended, or the newest
// one used the current snapshot. woken runs although nothing changed.
func (m *model) analyse(woken bool) tea.Cmd {
	a := &m.analysis
	if a.running || a.resting || !woken && a.looked != nil && !newer(m.snapshot, a.looked) && a.filed == m.filed.version {
		return nil
	}
	if a.looked == nil && len(m.snapshot.Health()) > 0 && !m.snapshot.Settled() {
		if a.waits > 0 && !woken {
			return nil
		}
		if a.waits < analysisMost && (a.waits == 0 || m.snapshot.ObjectsVersion != a.listed) {
			a.waits, a.listed = a.waits+1, m.snapshot.ObjectsVersion
			return m.after(analysisPatience, awake(a.runs))
		}
	}
	a.running = true
	a.runs++
	done := analysed{run: a.runs, from: m.session.Store, lastLooks: m.session.LastLooks, woken: woken, filed: m.filed.version, list: m.incidents.current().list}
	if watching, does := m.session.Past.(DiagnosisReceiver); does && !m.travel.replays() {
		done.watching = watching
	}
	options, before, sum := diagnose.Options{Thresholds: m.o.Thresholds, Probes: m.filed.answers, Reach: m.session.Reach}, a.report, a.gpus
	return func() tea.Msg { return done.look(options, before, sum) }
}

// newer reports whether a snapshot was taken after another of the same store.
// It cannot compare their instants: a dump that is read pins time in the past.
func newer(s, than *store.Snapshot) bool { return s.Sequence > than.Sequence }

// analysed is the result of a run.
type analysed struct {
	run       int
	from      *store.Store
	woken     bool
	filed     uint64
	of        *store.Snapshot
	report    *diagnose.Report
	gpus      gpuSum
	broken    string
	lastLooks *lastlook.Queue
	// watching receives the report, nil for nobody.
	watching DiagnosisReceiver
	// list makes incidents of the report, and incidents is what it found.
	list      *incidentlist.List
	incidents incidentlist.Found
}

// look is one run, off the event loop. A bug in it is reported, and the program
// continues.
func (a analysed) look(o diagnose.Options, before *diagnose.Report, sum gpuSum) (done tea.Msg) {
	defer func() {
		if what := recover(); what != nil {
			a.report, a.broken = nil, fmt.Sprintf("this is a bug of traintop: the diagnosis broke: %v", what)
			done = a
		}
	}()
	before = a.lookBack(o, before)
	a.of = a.from.Snapshot()
	a.report = diagnose.Run(a.of, o, before)
	a.gpus = sum.of(a.of, a.report)
	if a.watching != nil {
		a.watching.Watched(a.of, a.report)
	}
	if a.list != nil {
		a.incidents = a.list.Look(a.of, a.report)
	}
	if a.lastLooks != nil {
		a.lastLooks.Seen(a.of)
	}
	return a
}

// lookBack makes incidents of the jobs that failed and were deleted since the run before,
// whose report it returns or a newer one.
func (a *analysed) lookBack(o diagnose.Options, before *diagnose.Report) *diagnose.Report {
	if a.lastLooks == nil || a.list == nil {
		return before
	}
	for _, s := range a.lastLooks.Take() {
		before = diagnose.Run(s, o, before)
		a.list.LookBack(s, before)
	}
	return before
}

func (a analysed) arrive(m *model) tea.Cmd {
	m.dirty = false // unless something differs
	if a.run != m.analysis.runs || a.from != m.session.Store {
		return nil // of an earlier session
	}
	was := m.analysis
	m.analysis = analysis{report: a.report, gpus: a.gpus, looked: a.of, filed: a.filed, runs: was.runs, broken: a.broken}
	if a.of == nil {
		m.analysis.looked = m.snapshot
	}
	next := []tea.Cmd{m.rest(), m.incidents.take(a.list, a.incidents)}
	switch {
	case a.broken != "" && a.broken != was.broken:
		m.dirty = true
		next = append(next, m.say(a.broken, true))
	case a.broken != "":
	case a.differs(was):
		m.dirty = true
		if newer(a.of, m.snapshot) && !a.of.Now.Equal(m.snapshot.Now) {
			next = append(next, snapshotTaken{a.from, a.of}.arrive(m))
		}
	}
	return tea.Batch(next...)
}

// differs reports whether the screen has to be drawn again.
func (a analysed) differs(was analysis) bool {
	return was.report == nil || a.report.Version() != was.report.Version() ||
		a.report.Signals().Version() != was.report.Signals().Version() ||
		!a.gpus.reads(was.gpus) || a.woken && a.gpus.aged()
}

// rest waits before the next run, and starts one when nothing else does.
func (m *model) rest() tea.Cmd {
	over := m.after(analysisRest, rested(m.analysis.runs))
	m.analysis.resting = over != nil // a test that sets the time itself waits for nothing
	return tea.Batch(over, m.after(analysisAgain, awake(m.analysis.runs)))
}

// rested is the end of the rest after a run.
type rested int

func (r rested) arrive(m *model) tea.Cmd {
	m.dirty = false
	if int(r) != m.analysis.runs {
		return nil
	}
	m.analysis.resting = false
	return m.analyse(false)
}

// awake is sent when some time has passed since a run.
type awake int

func (w awake) arrive(m *model) tea.Cmd {
	m.dirty = false
	if int(w) != m.analysis.runs || m.clock.pinned && m.analysis.looked != nil {
		return nil
	}
	return m.analyse(true)
}
