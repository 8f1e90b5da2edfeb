package scheduling

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var schedulerMissing = rule.Cause{
	ID: "scheduler-missing", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "No scheduler works on the pods",
		Meaning: "The pods wait for a node, and the scheduler that they name (schedulerName) has left no trace on them: it is not installed, does not run, or has another name.",
		Fix: "See which schedulers run. $ kubectl get pods -A -o wide\n" +
			"Correct schedulerName in the pod template, or have the scheduler installed or repaired.",
	},
	Evidence: "Pod phase Pending for minutes without a node, without the condition PodScheduled and without an event; no verdict of a gang scheduler on its PodGroup.",
	Hides:    []train.Cause{"autoscaler-not-scaling-up"},

	Find: func(s *rule.JobContext) []train.Finding {
		if s.Job.Phase.Terminal() {
			return nil
		}
		var found []train.Finding
		byName := map[string][]*rule.Pod{}
		for _, p := range s.Pods {
			if leftAlone(s, p) {
				name := cmp.Or(p.Spec.SchedulerName, corev1.DefaultSchedulerName)
				byName[name] = append(byName[name], p)
			}
		}
		if len(byName) == 0 || Gang(s) != nil {
			return nil
		}
		for name, pods := range byName {
			found = append(found, noScheduler(s, name, pods))
		}
		slices.SortFunc(found, func(a, b train.Finding) int { return cmp.Compare(a.Title, b.Title) })
		return found
	},
}

// schedulerGrace is how long a scheduler may take to report something about a pod:
// a busy one needs seconds.
const schedulerGrace = 2 * time.Minute

// leftAlone reports whether a pod waits for a node, and no scheduler has
// touched it: each writes the condition PodScheduled or an event.
func leftAlone(s *rule.JobContext, p *rule.Pod) bool {
	return p.Rank.State == train.RankPending && p.Status.Phase == corev1.PodPending && p.Spec.NodeName == "" &&
		rule.PodCondition(p.Pod, corev1.PodScheduled) == nil && p.Status.NominatedNodeName == "" &&
		len(s.PodEvents(p)) == 0 && !p.CreationTimestamp.IsZero() && s.OlderThan(p.CreationTimestamp.Time, schedulerGrace)
}

func noScheduler(s *rule.JobContext, name string, pods []*rule.Pod) train.Finding {
	since := pods[0].CreationTimestamp.Time
	f := s.NewFinding(train.SeverityError, since, pods...)
	f.Confidence = train.Likely
	f.Title = fmt.Sprintf("Scheduler %s has not looked at %s (%s)", rule.Plain(name), termtext.Count(len(pods), "pod"), rule.RankNames(pods))
	f.Explanation = fmt.Sprintf("A scheduler writes on every pod that it cannot place why. These wait for %s and show nothing: %s is not installed, does not run, or has another name.", termtext.Duration(s.Now.Sub(since)), rule.Plain(name))
	f.Evidence = []train.Evidence{
		rule.FieldEvidence(s.Ref(pods[0]), "spec.schedulerName", name, since, rule.RankOf(pods[0])),
		rule.StatusEvidence(kinds.PodRef(pods[0].Pod), "status.conditions[PodScheduled]", "none since the pod was made", since, rule.RankOf(pods[0])),
	}
	f.Next = []train.Step{
		rule.Look("See whether the scheduler's pod runs.", "kubectl", "get", "pods", "-A", "-o", "wide"),
		rule.Do("Correct schedulerName in the pod template, or have the scheduler installed or repaired."),
	}
	f.Verify = rule.VerifyOf(train.StageSchedule)
	return f
}
