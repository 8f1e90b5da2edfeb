package diagnose

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/signatures"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
)

// gangVerdict is what a gang scheduler says about a job whose pods wait for
// each other.
type gangVerdict struct {
	ref      train.Ref
	says     string
	evidence []train.Evidence
	since    time.Time
	// queue is true when it is the queue's share that is used up.
	queue bool
}

// gang reads the job's PodGroup; nil when no gang holds the job back.
func (s *jobContext) gang() *gangVerdict {
	if s.job.Phase.Terminal() || s.job.Phase == train.Suspended || !s.anyWaits() {
		return nil
	}
	for _, kind := range []schema.GroupKind{volcanoGroupKind, coschedulingKind, kaiGroupKind} {
		if group := s.podGroup(kind); group != nil {
			if v := s.readGroup(kind, group); v != nil {
				return v
			}
		}
	}
	return s.gangOfPods()
}

// anyWaits reports ranks that have no node or no pod.
func (s *jobContext) anyWaits() bool {
	return len(s.job.Ranks) == 0 || slices.ContainsFunc(s.job.Ranks, func(r train.Rank) bool {
		return r.State == train.RankPending || r.State == train.RankMissing || r.State == train.RankGated
	})
}

// podGroup is the group below the job, or the one that its pods name.
func (s *jobContext) podGroup(kind schema.GroupKind) *unstructured.Unstructured {
	if group := s.newestBelow(kind); group != nil {
		return group
	}
	for _, p := range s.pods {
		for _, name := range []string{
			p.Annotations["scheduling.k8s.io/group-name"], p.Annotations["scheduling.volcano.sh/group-name"], p.Annotations["pod-group-name"],
			p.Labels["scheduling.x-k8s.io/pod-group"], p.Labels["pod-group.scheduling.sigs.k8s.io/name"],
		} {
			if name == "" {
				continue
			}
			if o, _ := s.lookUp(kind, p.Namespace, name); o != nil {
				u, _ := o.(*unstructured.Unstructured)
				return u
			}
		}
		break
	}
	return nil
}

// readGroup: a running group may keep an old condition Unschedulable, so the
// phase is believed first (volcano #153).
func (s *jobContext) readGroup(kind schema.GroupKind, group *unstructured.Unstructured) *gangVerdict {
	phase := specText(group, "status", "phase")
	if phase == "Running" || phase == "Completed" || phase == "Finished" || phase == "Scheduled" {
		return nil
	}
	v := &gangVerdict{ref: refOf(kind, group), since: group.GetCreationTimestamp().Time}
	for _, c := range append(conditionsOf(group), conditionsAt(group, "schedulingConditions")...) { // KAI's own field
		if c.kind == "Unschedulable" && c.holds || c.kind == "UnschedulableOnNodePool" && c.holds {
			v.says = cmp.Or(c.message, c.reason)
			v.queue = overQueue(v.says)
			v.evidence = append(v.evidence, statusEvidence(v.ref, "status.conditions["+c.kind+"]", c.reason+": "+c.message, c.at, -1))
		}
	}
	events := s.eventsFor(v.ref)
	for i := len(events) - 1; i >= 0; i-- {
		e := events[i]
		overused := overQueue(e.Message)
		if overused || v.says == "" && e.Type != "Normal" {
			v.queue, v.says = overused, cmp.Or(e.Message, v.says)
			v.evidence = append([]train.Evidence{eventEvidence(e, -1)}, v.evidence...)
			break
		}
	}
	if v.says == "" && phase == "" {
		return nil
	}
	if v.says == "" {
		v.says = "its PodGroup is " + phase
	}
	v.says = plain(v.says)
	v.evidence = append(v.evidence, statusEvidence(v.ref, "status.phase", cmp.Or(phase, "none"), v.since, -1))
	return v
}

// overQueue reports words about the queue's share rather than the nodes.
func overQueue(says string) bool {
	matches := signatures.Find(signatures.InEvent, says)
	return len(matches) > 0 && matches[0].Cause == "queue-quota-exceeded"
}

// gangOfPods: where no group can be seen, the pods' own conditions may tell.
func (s *jobContext) gangOfPods() *gangVerdict {
	for _, g := range s.unplaced() {
		for _, c := range g.says.clauses {
			if c.cause == "gang-not-ready" || c.cause == "queue-quota-exceeded" {
				return &gangVerdict{ref: refOf(kinds.PodKind, g.pods[0].Pod), says: plain(g.message), evidence: []train.Evidence{g.proof}, since: g.since, queue: c.cause == "queue-quota-exceeded"}
			}
		}
	}
	return nil
}
