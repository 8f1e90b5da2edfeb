package diagnose

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// seen notes what an answer rests on. As long as all of it looks the same in
// a later picture, and its time has not come, the answer stands.
type seen struct {
	job     *train.Job
	due     time.Time // zero: time alone changes nothing
	objects []seenObject
	lists   []seenList
	about   []seenEvents
	shapes  []seenShape
	nodes   uint64 // Snapshot.NodesVersion where every pod on a node counts, else 0
	signals []signals.Signal
	hits    int     // lines of logs that tell of causes
	reading reading // of its logs
	course  *course
	// measured is whether any GPU of the job is.
	measured bool
	// pressure is that on its nodes.
	pressure string
	// probes are the answers of checks that were run in its ranks.
	probes []ProbeAnswer
	// asked are its logs that somebody asked for.
	asked *Asked
}

type seenObject struct {
	kind            schema.GroupKind
	namespace, name string
	o               kinds.Object
	presence        train.Presence
}

type seenList struct {
	kind      schema.GroupKind
	namespace string
	list      []kinds.Object
}

type seenEvents struct {
	ref    train.Ref
	events []*corev1.Event
}

// seenShape is what the nodes had for a pod.
type seenShape struct {
	shape   string
	verdict *funnel
}

func (n *seen) object(kind schema.GroupKind, namespace, name string, o kinds.Object, p train.Presence) {
	for i := range n.objects {
		if was := &n.objects[i]; was.name == name && was.namespace == namespace && was.kind == kind {
			return
		}
	}
	n.objects = append(n.objects, seenObject{kind, namespace, name, o, p})
}

func (n *seen) list(kind schema.GroupKind, namespace string, list []kinds.Object) {
	n.lists = append(n.lists, seenList{kind, namespace, list})
}

func (n *seen) events(r train.Ref, events []*corev1.Event) {
	n.about = append(n.about, seenEvents{r, events})
}

func (n *seen) shape(shape string, verdict *funnel) {
	n.shapes = append(n.shapes, seenShape{shape, verdict})
}

// until notes that time changes the answer at an instant.
func (n *seen) until(due time.Time) {
	if n.due.IsZero() || due.Before(n.due) {
		n.due = due
	}
}

// same reports whether a picture shows a job as it was seen. changed says
// which parts of the picture are others than those of the picture before.
func (n *seen) same(w *world, job *train.Job, changed changes) bool {
	switch {
	case n.job != job, changed.inputs, n.asked != w.asked[job.ID], !slices.Equal(n.probes, w.probes[job.ID]), !n.due.IsZero() && !w.now.Before(n.due):
		return false
	case changed.signals && !sameSignals(n.signals, w.signals.Job(job.ID)), n.measured != w.JobMeasured(job.ID):
		return false
	case n.pressure != w.pressureOn(job):
		return false
	case changed.logs && !n.sameLogs(w, job), !n.sameSilence(w, job):
		return false
	case changed.objects && !n.sameObjects(w.Snapshot):
		return false
	case changed.events && !n.sameEvents(w.Snapshot):
		return false
	}
	if n.nodes != 0 && n.nodes != w.NodesVersion {
		return false
	}
	for _, was := range n.shapes {
		if !w.nodes.still(was.shape, was.verdict) {
			return false
		}
	}
	return true
}

func (n *seen) sameObjects(s *store.Snapshot) bool {
	for _, was := range n.objects {
		if o, presence := s.Object(was.kind, was.namespace, was.name); presence != was.presence || o != was.o {
			return false
		}
	}
	for _, was := range n.lists {
		if !slices.Equal(listed(s, was.kind, was.namespace), was.list) {
			return false
		}
	}
	return true
}

func (n *seen) sameEvents(s *store.Snapshot) bool {
	for _, was := range n.about {
		if !slices.Equal(s.EventsAbout(was.ref), was.events) {
			return false
		}
	}
	return true
}

// sameSignals compares what signals say, not the lists: they are made anew
// while their text stays.
func sameSignals(a, b []signals.Signal) bool {
	return slices.EqualFunc(a, b, func(x, y signals.Signal) bool {
		return x.Kind == y.Kind && x.Severity == y.Severity && x.Text == y.Text && x.GPU == y.GPU && x.Rank == y.Rank
	})
}

// sameLogs passes over jobs whose logs stand still. Of others it takes the
// course as it is now, when that says the same.
func (n *seen) sameLogs(w *world, job *train.Job) bool {
	if n.course != nil && w.JobLogsVersion(job.ID) == n.course.version || n.course == nil && w.JobLogsVersion(job.ID) == 0 {
		return true
	}
	return toldIn(w.Snapshot, job) == n.hits && readingOf(w.Snapshot, job) == n.reading && n.takeCourse(w, job)
}

// sameSilence looks again at a job whose silence has lasted until its time came.
func (n *seen) sameSilence(w *world, job *train.Job) bool {
	return n.course == nil || n.course.due.IsZero() || w.now.Before(n.course.due) || n.takeCourse(w, job)
}

func (n *seen) takeCourse(w *world, job *train.Job) bool {
	now := courseOf(w, job)
	if !n.course.same(now) {
		return false
	}
	n.course = now
	return true
}

// hitsOf counts what the logs of a job tell of causes.
func hitsOf(s *store.Snapshot, job *train.Job) int {
	n := 0
	for i := range job.Ranks {
		for _, log := range s.RankLogs(job, i) {
			n += len(log.Hits)
		}
	}
	return n
}

// toldIn counts what the logs of a job have told: their hits and, of a short
// text that is no job's, its lines too, in which words alone may tell.
func toldIn(s *store.Snapshot, job *train.Job) int {
	n := hitsOf(s, job)
	for i := range job.Ranks {
		if !job.LogsOnly {
			break
		}
		for _, log := range s.RankLogs(job, i) {
			n += logs.FewLines(log)
		}
	}
	return n
}

// changes say which parts of a picture are others than in the one before.
type changes struct{ objects, events, logs, signals, inputs bool }
