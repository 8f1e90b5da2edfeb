package scheduling

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// gangVerdict is a gang scheduler's status of a job whose pods wait for each
// other.
type gangVerdict struct {
	ref      train.Ref
	Says     string
	Evidence []train.Evidence
	Since    time.Time
	// Queue is true when it is the queue's share that is used up.
	Queue bool
}

// Gang reads the job's PodGroup; nil when no gang holds the job back.
func Gang(s *rule.JobContext) *gangVerdict {
	if s.Job.Phase.Terminal() || s.Job.Phase == train.Suspended || !anyWaits(s) {
		return nil
	}
	for _, kind := range []schema.GroupKind{rule.VolcanoGroupKind, rule.CoschedulingKind, rule.KaiGroupKind} {
		if group := podGroup(s, kind); group != nil {
			if v := readGroup(s, kind, group); v != nil {
				return v
			}
		}
	}
	return gangOfPods(s)
}

// anyWaits reports whether ranks have no node or no pod.
func anyWaits(s *rule.JobContext) bool {
	return len(s.Job.Ranks) == 0 || slices.ContainsFunc(s.Job.Ranks, func(r train.Rank) bool {
		return r.State == train.RankPending || r.State == train.RankMissing || r.State == train.RankGated
	})
}

// podGroup returns the group below the job, or the one that its pods name.
func podGroup(s *rule.JobContext, kind schema.GroupKind) *unstructured.Unstructured {
	if group := s.NewestBelow(kind); group != nil {
		return group
	}
	for _, p := range s.Pods {
		for _, name := range []string{
			p.Annotations["scheduling.k8s.io/group-name"], p.Annotations["scheduling.volcano.sh/group-name"], p.Annotations["pod-group-name"],
			p.Labels["scheduling.x-k8s.io/pod-group"], p.Labels["pod-group.scheduling.sigs.k8s.io/name"],
		} {
			if name == "" {
				continue
			}
			if o, _ := s.LookUp(kind, p.Namespace, name); o != nil {
				u, _ := o.(*unstructured.Unstructured)
				return u
			}
		}
		break
	}
	return nil
}

// readGroup reads a group: a running group may keep an old condition
// Unschedulable, so its phase takes precedence (volcano #153).
func readGroup(s *rule.JobContext, kind schema.GroupKind, group *unstructured.Unstructured) *gangVerdict {
	phase := rule.SpecText(group, "status", "phase")
	if phase == "Running" || phase == "Completed" || phase == "Finished" || phase == "Scheduled" {
		return nil
	}
	v := &gangVerdict{ref: kinds.RefOf(kind, group), Since: group.GetCreationTimestamp().Time}
	for _, c := range append(rule.ConditionsOf(group), rule.ConditionsAt(group, "schedulingConditions")...) { // KAI's own field
		if c.Kind == "Unschedulable" && c.Holds || c.Kind == "UnschedulableOnNodePool" && c.Holds {
			v.Says = cmp.Or(c.Message, c.Reason)
			v.Queue = overQueue(v.Says)
			v.Evidence = append(v.Evidence, rule.StatusEvidence(v.ref, "status.conditions["+c.Kind+"]", c.Reason+": "+c.Message, c.At, -1))
		}
	}
	events := s.EventsFor(v.ref)
	for i := len(events) - 1; i >= 0; i-- {
		e := events[i]
		overused := overQueue(e.Message)
		if overused || v.Says == "" && e.Type != "Normal" {
			v.Queue, v.Says = overused, cmp.Or(e.Message, v.Says)
			v.Evidence = append([]train.Evidence{rule.EventEvidence(e, -1)}, v.Evidence...)
			break
		}
	}
	if v.Says == "" && phase == "" {
		return nil
	}
	if v.Says == "" {
		v.Says = "its PodGroup is " + phase
	}
	v.Says = rule.Plain(v.Says)
	v.Evidence = append(v.Evidence, rule.StatusEvidence(v.ref, "status.phase", cmp.Or(phase, "none"), v.Since, -1))
	return v
}

// overQueue reports whether a message is about the queue's share rather than
// the nodes.
func overQueue(says string) bool {
	matches := signatures.Find(signatures.InEvent, says)
	return len(matches) > 0 && matches[0].Cause == "queue-quota-exceeded"
}

// gangOfPods reads the pods' own conditions where no group is observed.
func gangOfPods(s *rule.JobContext) *gangVerdict {
	for _, g := range Unplaced(s) {
		for _, c := range g.Says.Clauses {
			if c.Cause == "gang-not-ready" || c.Cause == "queue-quota-exceeded" {
				return &gangVerdict{ref: kinds.RefOf(kinds.PodKind, g.Pods[0].Pod), Says: rule.Plain(g.Message), Evidence: []train.Evidence{g.Proof}, Since: g.Since, Queue: c.Cause == "queue-quota-exceeded"}
			}
		}
	}
	return nil
}
