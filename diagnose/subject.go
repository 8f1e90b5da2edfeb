package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// jobContext is one job with all that rules look at, and the notes that are taken
// while they do: what was looked up, and when time alone changes the answer.
type jobContext struct {
	*clusterContext
	job *train.Job
	// top is the object of the job; nil when it cannot be read.
	top *unstructured.Unstructured
	// pods hold the ranks' places now; earlier ones were there before and are still listed.
	pods, earlier []*pod

	current *cause // the rule that runs
	check   train.Check
	deps    *dependencies
	reading logReading // what became of its logs
	// What several rules share; each is made when first asked for.
	below               []kinds.Object
	belowMade           bool
	events              []*corev1.Event
	eventsMade          bool // events were collected
	placements          []placement
	placementsMade      bool // verdicts were made
	live                []liveLog
	liveMade            bool // voices were collected
	opening             bool // a log was opened a moment ago, and is no voice yet
	missingPodTemplates []template
	templatesMade       bool // templates were read
}

// pod is a pod of the job at a rank's place.
type pod struct {
	*corev1.Pod
	rank   *train.Rank
	events []*corev1.Event
	asked  bool // events were collected
}

func (s *jobContext) ref(p *pod) train.Ref { return podRef(p.Pod) }

// newSubject gathers a job and its pods; everything else is looked up when a
// rule asks for it.
func newSubject(w *clusterContext, job *train.Job) *jobContext {
	s := &jobContext{clusterContext: w, job: job, deps: &dependencies{}}
	if o, _ := s.lookUp(groupKind(job.Ref), job.Ref.Namespace, job.Ref.Name); o != nil {
		s.top, _ = o.(*unstructured.Unstructured)
	}
	for i := range job.Ranks {
		r := &job.Ranks[i]
		if p := s.podAt(r, r.Pod, r.PodUID); p != nil {
			s.pods = append(s.pods, p)
		}
		for _, attempt := range r.Attempts {
			if attempt.Pod == r.Pod && attempt.PodUID == r.PodUID || attempt.InPlace {
				continue
			}
			if p := s.podAt(r, attempt.Pod, attempt.PodUID); p != nil && !slices.ContainsFunc(s.earlier, func(e *pod) bool { return e.Pod == p.Pod }) {
				s.earlier = append(s.earlier, p)
			}
		}
	}
	return s
}

func (s *jobContext) podAt(r *train.Rank, name, uid string) *pod {
	if name == "" {
		return nil
	}
	found := s.Pod(r.Namespace, name)
	if found == nil || uid != "" && string(found.UID) != uid {
		return nil
	}
	return &pod{Pod: found, rank: r}
}

func groupKind(r train.Ref) schema.GroupKind { return schema.GroupKind{Group: r.Group, Kind: r.Kind} }

// lookUp looks an object up and notes that the answer rests on it.
func (s *jobContext) lookUp(kind schema.GroupKind, namespace, name string) (kinds.Object, train.Presence) {
	o, presence := s.Object(kind, namespace, name)
	s.deps.object(kind, namespace, name, o, presence)
	return o, presence
}

// listObjects are the objects of a kind in a namespace ("" for all); the answer rests
// on every one of them.
func (s *jobContext) listObjects(kind schema.GroupKind, namespace string) []kinds.Object {
	list := listed(s.Snapshot, kind, namespace)
	s.deps.list(kind, namespace, list)
	return list
}

func listed(s *store.Snapshot, kind schema.GroupKind, namespace string) []kinds.Object {
	var list []kinds.Object
	s.Objects(kind, namespace, func(o kinds.Object) bool {
		list = append(list, o)
		return true
	})
	return list
}

// descendants are the objects below the job, nearest first, without its pods.
func (s *jobContext) descendants() []kinds.Object {
	if !s.belowMade {
		s.below, s.belowMade = s.Below(s.job), true
		for _, o := range s.below {
			s.deps.object(objectKind(o), o.GetNamespace(), o.GetName(), o, train.Present)
		}
	}
	return s.below
}

// newestBelow is the newest object of a kind below the job, nil for none.
func (s *jobContext) newestBelow(kind schema.GroupKind) *unstructured.Unstructured {
	var newest *unstructured.Unstructured
	for _, o := range s.descendants() {
		u, is := o.(*unstructured.Unstructured)
		if is && objectKind(o) == kind && (newest == nil || u.GetCreationTimestamp().After(newest.GetCreationTimestamp().Time)) {
			newest = u
		}
	}
	return newest
}

func objectKind(o kinds.Object) schema.GroupKind {
	return o.GetObjectKind().GroupVersionKind().GroupKind()
}

// ownerEvents are the events about the job and what stands below it, not
// about its pods, oldest first.
func (s *jobContext) ownerEvents() []*corev1.Event {
	if s.eventsMade {
		return s.events
	}
	s.eventsMade = true
	s.events = s.eventsFor(s.job.Ref)
	for _, o := range s.descendants() {
		s.events = append(s.events, s.eventsFor(refOf(objectKind(o), o))...)
	}
	slices.SortStableFunc(s.events, func(a, b *corev1.Event) int { return kinds.EventTime(a).Compare(kinds.EventTime(b)) })
	return s.events
}

// olderThan reports whether something is at least so old. When it is not yet, the
// answer has to be looked at again as soon as it is.
func (s *jobContext) olderThan(since time.Time, age time.Duration) bool {
	if since.IsZero() {
		return true // nobody tells: no reason to wait
	}
	due := since.Add(age)
	if s.now.Before(due) {
		s.deps.until(due)
		return false
	}
	return true
}

// severityAfter is an error once something has lasted so long, before that a warning:
// what is young may heal by itself.
func (s *jobContext) severityAfter(since time.Time, grace time.Duration) train.Severity {
	if s.olderThan(since, grace) {
		return train.SeverityError
	}
	return train.SeverityWarning
}

// Words of the three answers that are not a finding.

// checkPassed says why the cause under examination is ruled out.
func (s *jobContext) checkPassed(why string) {
	s.check.Result, s.check.Why = train.CheckPass, plain(why)
}

// checkUnknown says what is missing to tell.
func (s *jobContext) checkUnknown(why string) {
	s.check.Result, s.check.Why = train.CheckUnknown, plain(why)
}

// checkSkipped says why the question does not arise.
func (s *jobContext) checkSkipped(why string) {
	s.check.Result, s.check.Why = train.CheckSkipped, plain(why)
}

// newFinding begins a finding of the cause under examination about some pods; none
// stands for the whole job.
func (s *jobContext) newFinding(severity train.Severity, since time.Time, pods ...*pod) train.Finding {
	f := train.Finding{
		Cause: s.current.id, Severity: severity, Stage: s.current.stage, JobID: s.job.ID, Job: s.job.Ref,
		RootRank: -1, Since: since, Confidence: train.Certain,
	}
	for _, p := range pods {
		f.Ranks = append(f.Ranks, p.rank.Index)
	}
	slices.Sort(f.Ranks)
	f.Ranks = slices.Compact(f.Ranks)
	return f
}

// fieldEvidence is a piece of evidence from a field of an object.
func fieldEvidence(r train.Ref, path, text string, at time.Time, rank int) train.Evidence {
	return train.Evidence{Kind: train.EvidenceObject, Object: r, Field: path, Text: plain(text), Time: at, Rank: rank}
}

// statusEvidence is a piece of evidence from what a controller wrote about an object.
func statusEvidence(r train.Ref, path, text string, at time.Time, rank int) train.Evidence {
	e := fieldEvidence(r, path, text, at, rank)
	e.Kind = train.EvidenceStatus
	return e
}

// eventEvidence is a piece of evidence from an event. Object is what the event is
// about; Field names the event itself.
func eventEvidence(e *corev1.Event, rank int) train.Evidence {
	about := e.InvolvedObject
	return train.Evidence{
		Kind: train.EvidenceEvent, Rank: rank, Time: kinds.EventTime(e), Text: plain(e.Reason + ": " + e.Message), Field: "event/" + e.Name,
		Object: train.Ref{Group: schema.FromAPIVersionAndKind(about.APIVersion, about.Kind).Group, Kind: about.Kind, Namespace: about.Namespace, Name: about.Name, UID: string(about.UID)},
	}
}

// rankOf is a pod's rank for evidence.
func rankOf(p *pod) int {
	if p == nil || p.rank == nil {
		return -1
	}
	return p.rank.Index
}

// names lists up to three things and counts the rest.
func names(list []string) string {
	switch n := len(list); {
	case n == 0:
		return "none"
	case n <= 3:
		return strings.Join(list, ", ")
	default:
		return strings.Join(list[:3], ", ") + " and " + termtext.Count(n-3, "other")
	}
}

// whyUnseen says why a kind cannot be looked at, "" when it can.
func (s *jobContext) whyUnseen(kind schema.GroupKind) string {
	if s.Complete(kind, s.job.Ref.Namespace) || s.Count(kind) > 0 {
		return ""
	}
	return fmt.Sprintf("%s cannot be seen: the right to list them is missing, or the files hold none", partsOf(kind))
}
