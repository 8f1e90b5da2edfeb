package rule

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// JobContext is one job with everything that rules read, and the dependencies
// recorded while they do: what was looked up, and when time alone changes the
// answer.
type JobContext struct {
	*ClusterContext
	Job *train.Job
	// Top is the object of the job; nil when it cannot be read.
	Top *unstructured.Unstructured
	// Pods are the current pods of the ranks; earlier ones are previous pods
	// that are still listed.
	Pods, Earlier []*Pod

	Current *Cause // the rule that runs
	Check   train.Check
	Deps    *Dependencies
	Reading LogReading // which logs were read
	// The fields below are shared by several rules and built on first request.
	below               []kinds.Object
	belowMade           bool
	events              []*corev1.Event
	eventsMade          bool // events were collected
	Placements          []Placement
	PlacementsMade      bool // Placements were computed
	live                []LiveLog
	liveMade            bool      // live logs were collected
	Opening             bool      // a log was opened a moment ago, and is not among the live ones yet
	Opened              []LiveLog // the lines so far of the logs that were opened a moment ago
	MayHang             bool      // what came so far of the logs that were opened a moment ago would be a hang
	missingPodTemplates []Template
	templatesMade       bool // templates were read
}

// Pod is a pod of one of the job's ranks.
type Pod struct {
	*corev1.Pod
	Rank   *train.Rank
	events []*corev1.Event
	asked  bool // events were collected
}

func (s *JobContext) Ref(p *Pod) train.Ref { return kinds.PodRef(p.Pod) }

// NewJobContext collects a job and its pods; everything else is looked up when
// a rule needs it.
func NewJobContext(w *ClusterContext, job *train.Job) *JobContext {
	s := &JobContext{ClusterContext: w, Job: job, Deps: &Dependencies{}}
	if o, _ := s.LookUp(GroupKind(job.Ref), job.Ref.Namespace, job.Ref.Name); o != nil {
		s.Top, _ = o.(*unstructured.Unstructured)
	}
	earlier := map[*corev1.Pod]bool{}
	for i := range job.Ranks {
		r := &job.Ranks[i]
		if p := s.podAt(r, r.Pod, r.PodUID); p != nil {
			s.Pods = append(s.Pods, p)
		}
		for _, attempt := range r.Attempts {
			if attempt.Pod == r.Pod && attempt.PodUID == r.PodUID || attempt.InPlace {
				continue
			}
			if p := s.podAt(r, attempt.Pod, attempt.PodUID); p != nil && !earlier[p.Pod] {
				earlier[p.Pod] = true
				s.Earlier = append(s.Earlier, p)
			}
		}
	}
	return s
}

func (s *JobContext) podAt(r *train.Rank, name, uid string) *Pod {
	if name == "" {
		return nil
	}
	found := s.Pod(r.Namespace, name)
	if found == nil || uid != "" && string(found.UID) != uid {
		if found = store.GonePod(s.Snapshot, uid); found == nil {
			return nil
		}
	}
	return &Pod{Pod: found, Rank: r}
}

func GroupKind(r train.Ref) schema.GroupKind { return schema.GroupKind{Group: r.Group, Kind: r.Kind} }

// LookUp looks up an object and records the dependency on it.
func (s *JobContext) LookUp(kind schema.GroupKind, namespace, name string) (kinds.Object, train.Presence) {
	o, presence := s.Object(kind, namespace, name)
	s.Deps.noteObject(kind, namespace, name, o, presence)
	return o, presence
}

// ListObjects returns the objects of a kind in a namespace ("" for all); the
// answer depends on every one of them.
func (s *JobContext) ListObjects(kind schema.GroupKind, namespace string) []kinds.Object {
	list := listed(s.Snapshot, kind, namespace)
	s.Deps.noteList(kind, namespace, list)
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

// Descendants returns the objects below the job, nearest first, without its
// pods.
func (s *JobContext) Descendants() []kinds.Object {
	if !s.belowMade {
		s.below, s.belowMade = s.Below(s.Job), true
		for _, o := range s.below {
			s.Deps.noteObject(ObjectKind(o), o.GetNamespace(), o.GetName(), o, train.Present)
		}
	}
	return s.below
}

// NewestBelow returns the newest object of a kind below the job, nil for none.
func (s *JobContext) NewestBelow(kind schema.GroupKind) *unstructured.Unstructured {
	var newest *unstructured.Unstructured
	for _, o := range s.Descendants() {
		u, is := o.(*unstructured.Unstructured)
		if is && ObjectKind(o) == kind && (newest == nil || u.GetCreationTimestamp().After(newest.GetCreationTimestamp().Time)) {
			newest = u
		}
	}
	return newest
}

func ObjectKind(o kinds.Object) schema.GroupKind {
	return o.GetObjectKind().GroupVersionKind().GroupKind()
}

// OwnerEvents returns the events about the job and the objects below it, not
// about its pods, oldest first.
func (s *JobContext) OwnerEvents() []*corev1.Event {
	if s.eventsMade {
		return s.events
	}
	s.eventsMade = true
	s.events = s.EventsFor(s.Job.Ref)
	for _, o := range s.Descendants() {
		s.events = append(s.events, s.EventsFor(kinds.RefOf(ObjectKind(o), o))...)
	}
	slices.SortStableFunc(s.events, func(a, b *corev1.Event) int { return kinds.EventTime(a).Compare(kinds.EventTime(b)) })
	return s.events
}

// OlderThan reports whether something is at least so old. If not, it records
// that the answer changes when it is.
func (s *JobContext) OlderThan(since time.Time, age time.Duration) bool {
	if since.IsZero() {
		return true // unknown: no reason to wait
	}
	due := since.Add(age)
	if s.Now.Before(due) {
		s.Deps.NoteDue(due)
		return false
	}
	return true
}

// SeverityAfter returns an error once something has lasted so long, before
// that a warning: a recent problem may resolve itself.
func (s *JobContext) SeverityAfter(since time.Time, grace time.Duration) train.Severity {
	if s.OlderThan(since, grace) {
		return train.SeverityError
	}
	return train.SeverityWarning
}

// The reasons for the three results that are no finding.

// CheckPassed sets why the cause under examination is ruled out.
func (s *JobContext) CheckPassed(why string) {
	s.Check.Result, s.Check.Why = train.CheckPass, Plain(why)
}

// CheckUnknown sets what is missing to decide.
func (s *JobContext) CheckUnknown(why string) {
	s.Check.Result, s.Check.Why = train.CheckUnknown, Plain(why)
}

// CheckSkipped sets why the cause does not apply.
func (s *JobContext) CheckSkipped(why string) {
	s.Check.Result, s.Check.Why = train.CheckSkipped, Plain(why)
}

// NewFinding returns a finding of the cause under examination about some pods;
// no pods means the whole job.
func (s *JobContext) NewFinding(severity train.Severity, since time.Time, pods ...*Pod) train.Finding {
	f := train.Finding{
		Cause: s.Current.ID, Severity: severity, Stage: s.Current.Stage, JobID: s.Job.ID, Job: s.Job.Ref,
		RootRank: -1, Since: since, Confidence: train.Certain,
	}
	for _, p := range pods {
		f.Ranks = append(f.Ranks, p.Rank.Index)
	}
	slices.Sort(f.Ranks)
	f.Ranks = slices.Compact(f.Ranks)
	return f
}

// FieldEvidence returns evidence from a field of an object.
func FieldEvidence(r train.Ref, path, text string, at time.Time, rank int) train.Evidence {
	return train.Evidence{Kind: train.EvidenceObject, Object: r, Field: path, Text: Plain(text), Time: at, Rank: rank}
}

// StatusEvidence returns evidence from what a controller wrote about an
// object.
func StatusEvidence(r train.Ref, path, text string, at time.Time, rank int) train.Evidence {
	e := FieldEvidence(r, path, text, at, rank)
	e.Kind = train.EvidenceStatus
	return e
}

// EventEvidence returns evidence from an event. Object is what the event is
// about; Field names the event itself.
func EventEvidence(e *corev1.Event, rank int) train.Evidence {
	about := e.InvolvedObject
	return train.Evidence{
		Kind: train.EvidenceEvent, Rank: rank, Time: kinds.EventTime(e), Text: Plain(e.Reason + ": " + e.Message), Field: "event/" + e.Name,
		Object: train.Ref{Group: schema.FromAPIVersionAndKind(about.APIVersion, about.Kind).Group, Kind: about.Kind, Namespace: about.Namespace, Name: about.Name, UID: string(about.UID)},
	}
}

// RankOf returns a pod's rank for evidence.
func RankOf(p *Pod) int {
	if p == nil || p.Rank == nil {
		return -1
	}
	return p.Rank.Index
}

// Names lists up to three things and counts the rest.
func Names(list []string) string {
	switch n := len(list); {
	case n == 0:
		return "none"
	case n <= 3:
		return strings.Join(list, ", ")
	default:
		return strings.Join(list[:3], ", ") + " and " + termtext.Count(n-3, "other")
	}
}
