package scheduling

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// pushed describes how the job lost a pod, or all of them, to another
// workload.
type pushed struct {
	rank       *train.Rank
	title, why string
	// confidence is set where the words do not name who pushed.
	confidence train.Confidence
	at         time.Time
	evidence   []train.Evidence
	// next are the steps where those of the cause do not help: a drain asks for
	// no priority.
	next []train.Step
}

// preemption returns the newest loss to another workload, nil when there was
// none.
func preemption(s *rule.JobContext) *pushed {
	var newest *pushed
	for _, p := range []*pushed{evictedByQueue(s), preemptedPods(s)} {
		if p != nil && (newest == nil || p.at.After(newest.at)) {
			newest = p
		}
	}
	return newest
}

// evictedByQueue reads Kueue's eviction: Kueue keeps the condition in the list
// with status False after the job is admitted again.
func evictedByQueue(s *rule.JobContext) *pushed {
	if s.Job.Queue == nil || s.Job.Queue.System != "Kueue" {
		return nil
	}
	workload := s.NewestBelow(rule.WorkloadKind)
	c, known := rule.ConditionOf(workload, "Evicted")
	if !known || !c.Holds || c.Reason != "Preempted" {
		return nil
	}
	title := fmt.Sprintf("Kueue pushed %s aside: %s", s.Job.Ref, c.Message)
	if by := pusher(s, c.Message); by != "" {
		title = fmt.Sprintf("Kueue pushed %s aside for %s", s.Job.Ref, by)
		if _, why, known := strings.Cut(c.Message, " due to "); known {
			why, _, _ = strings.Cut(why, "; preemptor path: ") // of cohorts, since Kueue 0.12
			title += ": " + why
		}
	}
	return &pushed{
		title:    title,
		why:      "A workload of higher priority, or one whose quota was borrowed, took the job's place. It waits in its queue again.",
		at:       c.At,
		evidence: []train.Evidence{rule.StatusEvidence(kinds.RefOf(rule.WorkloadKind, workload), "status.conditions[Evicted]", c.Reason+": "+c.Message, c.At, -1)},
	}
}

// pusherUID is the Workload that a job made room for, and its job (Kueue 0.6 to
// 0.19 pkg/scheduler/preemption, "Preempted to accommodate a workload (UID: %s,
// JobUID: %s)").
var pusherUID = regexp.MustCompile(`\(UID: ([0-9a-fA-F-]{36})\b(?:, JobUID: ([0-9a-fA-F-]{36})\b)?`)

// pusher returns the job of the Workload that a message of Kueue names, "" when
// neither is observed: a Workload may be gone, or may not be read.
func pusher(s *rule.JobContext, sentence string) string {
	m := pusherUID.FindStringSubmatch(sentence)
	if m == nil {
		return ""
	}
	for _, o := range s.ListObjects(rule.WorkloadKind, "") {
		if string(o.GetUID()) != m[1] {
			continue
		}
		if owners := o.GetOwnerReferences(); len(owners) > 0 {
			group, _ := schema.ParseGroupVersion(owners[0].APIVersion)
			owner := train.Ref{Group: group.Group, Kind: owners[0].Kind, Namespace: o.GetNamespace(), Name: owners[0].Name}
			return rule.Plain(owner.String())
		}
		return rule.Plain(o.GetNamespace() + "/Workload/" + o.GetName())
	}
	for _, job := range s.Jobs() {
		if m[2] != "" && job.Ref.UID == m[2] {
			return rule.Plain(job.Ref.String())
		}
	}
	return ""
}

// preemptedPods examines existing pods, and events about deleted pods with the
// ranks' names.
func preemptedPods(s *rule.JobContext) *pushed {
	if s.Job.Restarts == 0 && s.Job.Phase == train.Running && s.Job.Ready >= s.Job.Wanted && !slices.ContainsFunc(s.Pods, leaves) {
		return nil
	}
	var newest *pushed
	note := func(p *pushed) {
		if p != nil && (newest == nil || p.at.After(newest.at)) {
			newest = p
		}
	}
	for _, group := range [][]*rule.Pod{s.Pods, s.Earlier} {
		for _, p := range group {
			note(disrupted(s, p))
			note(preemptedByKubelet(p))
		}
	}
	for i := range s.Job.Ranks {
		r := &s.Job.Ranks[i]
		for _, name := range rankPods(r) {
			for _, e := range s.EventsFor(train.PodRef(r.Namespace, name, "")) {
				if e.Reason == "Preempted" || e.Reason == "Preempting" {
					note(preemptedBy(r, e))
				}
			}
		}
	}
	for _, name := range GoneMates(s) {
		for _, e := range s.EventsFor(train.PodRef(s.Job.Ref.Namespace, name, "")) {
			if e.Reason == "Preempted" {
				note(preemptedGone(name, e))
			}
		}
	}
	return newest
}

// GoneMates returns pods that according to events were created for the job and
// are no longer its ranks'.
func GoneMates(s *rule.JobContext) []string {
	if s.Job.Phase == train.Succeeded || s.Job.Phase == train.Queued || s.Job.Phase == train.Suspended {
		return nil
	}
	var list []string
	for _, e := range s.OwnerEvents() {
		name, made := strings.CutPrefix(e.Message, "Created pod: ")
		if !made || slices.Contains(list, name) {
			continue
		}
		if _, presence := s.LookUp(kinds.PodKind, s.Job.Ref.Namespace, name); presence != train.Present {
			list = append(list, name)
		}
	}
	return list[max(0, len(list)-maxGone):]
}

// maxGone bounds the deleted pods that are examined: the newest are
// informative.
const maxGone = 32

func preemptedGone(name string, e *corev1.Event) *pushed {
	return &pushed{
		title:    fmt.Sprintf("Pod %s was preempted to make room for a pod of higher priority", name),
		why:      "The scheduler ended the pod so that one of higher priority fits. Its successor has to find a place, and the other ranks lose their partner.",
		at:       kinds.EventTime(e),
		evidence: []train.Evidence{rule.EventEvidence(e, -1)},
	}
}

// rankPods returns the names of the pods that a rank has had.
func rankPods(r *train.Rank) []string {
	var list []string
	if r.Pod != "" {
		list = append(list, r.Pod)
	}
	for _, attempt := range r.Attempts {
		if attempt.Pod != "" && attempt.Pod != r.Pod {
			list = append(list, attempt.Pod)
		}
	}
	return list
}

func preemptedBy(r *train.Rank, e *corev1.Event) *pushed {
	if e.Reason == "Preempting" { // the kubelet's word
		return &pushed{rank: r, title: fmt.Sprintf("%s was preempted by its kubelet to make room for a critical pod", rule.RankName(r)), why: criticalPod, at: kinds.EventTime(e), evidence: []train.Evidence{rule.EventEvidence(e, r.Index)}}
	}
	return &pushed{
		rank:     r,
		title:    fmt.Sprintf("%s was preempted to make room for a pod of higher priority", rule.RankName(r)),
		why:      "The scheduler ended the pod so that one of higher priority fits. The other ranks lose their partner and fail or hang with it.",
		at:       kinds.EventTime(e),
		evidence: []train.Evidence{rule.EventEvidence(e, r.Index)},
	}
}

// disrupted reads the pod's condition DisruptionTarget (Kubernetes 1.26 and later).
func disrupted(s *rule.JobContext, p *rule.Pod) *pushed {
	for i := range p.Status.Conditions {
		c := &p.Status.Conditions[i]
		if c.Type != corev1.DisruptionTarget || c.Status != corev1.ConditionTrue {
			continue
		}
		title, confidence, next := "", train.Confidence(""), []train.Step(nil)
		is := "was"
		if leaves(p) {
			is = "is being"
		}
		switch c.Reason {
		case "PreemptionByScheduler":
			title = fmt.Sprintf("%s %s preempted to make room for a pod of higher priority", rule.RankName(p.Rank), is)
		case "EvictionByEvictionAPI":
			title = fmt.Sprintf("%s %s evicted: its node %s is drained", rule.RankName(p.Rank), is, p.Spec.NodeName)
			next = afterEviction(p)
			if !drains(s, p.Spec.NodeName) {
				title = fmt.Sprintf("%s %s evicted from node %s through the eviction API, by whom is not known: an autoscaler, a descheduler, a drain that is over", rule.RankName(p.Rank), is, p.Spec.NodeName)
				confidence = train.Likely
			}
		default:
			return nil // node trouble and shutdown have causes of their own
		}
		return &pushed{
			rank: p.Rank, title: title, confidence: confidence, next: next, at: kinds.HeldSince(p.Pod, c.LastTransitionTime.Time),
			why:      "The pod was ended to make room, not for anything it did: " + cmp.Or(c.Message, c.Reason),
			evidence: []train.Evidence{rule.StatusEvidence(kinds.PodRef(p.Pod), "status.conditions[DisruptionTarget]", c.Reason+": "+c.Message, c.LastTransitionTime.Time, rule.RankOf(p))},
		}
	}
	return nil
}

// leaves reports whether a pod is being deleted and a container of it still
// runs.
func leaves(p *rule.Pod) bool {
	return p.DeletionTimestamp != nil && p.Status.Phase == corev1.PodRunning
}

// afterEviction returns what a person does about a pod that was evicted for its
// node: a priority keeps no pod on a node that is drained.
func afterEviction(p *rule.Pod) []train.Step {
	return []train.Step{
		rule.Look("See why its node takes no pods: its conditions, taints and events.", rule.Kubectl("describe", rule.CoreRef("Node", "", p.Spec.NodeName))...),
		rule.Do("Nothing more where its successor finds another node: it goes on from the last checkpoint. A PodDisruptionBudget, and a termination grace in which a checkpoint can be saved, make drains cost less."),
	}
}

// drains reports whether a node takes no pods: it is cordoned or tainted. One
// that is not observed may be.
func drains(s *rule.JobContext, name string) bool {
	o, _ := s.LookUp(kinds.NodeKind, "", name)
	node, is := o.(*corev1.Node)
	return !is || node.Spec.Unschedulable || slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.Effect != corev1.TaintEffectPreferNoSchedule })
}

// endedToMakeRoom reports whether the scheduler ended the pod for one of higher
// priority, or its kubelet for a critical one, and nothing but its signal ended
// the container.
func endedToMakeRoom(f *rule.Failure) bool {
	if f.Reason == "Preempting" {
		return true
	}
	if f.Pod == nil || !rule.Killed(f) {
		return false
	}
	c := rule.PodCondition(f.Pod.Pod, corev1.DisruptionTarget)
	return c != nil && (c.Status == corev1.ConditionTrue && c.Reason == "PreemptionByScheduler" || isForCriticalPod(c))
}
