package scheduling

import (
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var schedulingGate = rule.Cause{
	ID: "scheduling-gate", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "A scheduling gate holds the pods",
		Meaning: "A scheduling gate holds the pods: schedulers ignore them until the controller that owns the gate removes it.",
		Fix: "See which gate it is. $ kubectl get pods -o custom-columns=NAME:.metadata.name,GATES:.spec.schedulingGates\n" +
			"Look at the controller that owns the gate; the gate's name says which one it is.",
	},
	Evidence: "PodScheduled=False with reason SchedulingGated; spec.schedulingGates.",

	Find: func(s *rule.JobContext) []train.Finding {
		var held []*rule.Pod
		gates := map[string]bool{}
		for _, p := range s.Pods {
			if p.Rank.State != train.RankGated {
				continue
			}
			for _, gate := range p.Spec.SchedulingGates {
				if !explainedByKueue(s, gate.Name) {
					gates[gate.Name] = true
				}
			}
			held = append(held, p)
		}
		if len(gates) == 0 || s.Job.Phase.Terminal() {
			return nil
		}
		list, since := capacity.SortedKeys(gates), held[0].CreationTimestamp.Time
		if admitted, found := rule.ConditionOf(s.NewestBelow(rule.WorkloadKind), "Admitted"); found && admitted.At.After(since) {
			since = admitted.At // its controller waited for that
		}
		f := s.NewFinding(s.SeverityAfter(since, 5*time.Minute), since, held...)
		f.Title = fmt.Sprintf("%s held by the scheduling gate %s", termtext.Count(len(held), "pod")+" "+termtext.Agree(len(held), "is", "are"), rule.Names(list))
		f.Explanation = s.Current.Meaning
		f.Evidence = []train.Evidence{rule.FieldEvidence(s.Ref(held[0]), "spec.schedulingGates", rule.Names(list), held[0].CreationTimestamp.Time, rule.RankOf(held[0]))}
		f.Next = []train.Step{rule.Do("Look at the controller that the gate is named after: it has to take the gate away."), rule.Look("See the pod.", rule.Kubectl("describe", s.Ref(held[0]))...)}
		f.Verify = rule.VerifyOf(train.StageSchedule)
		return []train.Finding{f}
	},
}

// topologyGate is the gate that Kueue takes away once it has assigned a pod of
// an admitted Workload to a topology domain (Kueue 0.10
// pkg/controller/tas/topology_ungater.go).
const topologyGate = "kueue.x-k8s.io/topology"

// explainedByKueue reports whether the state of the job's Workload explains a
// gate: Kueue's own, except for the one that goes only after the admission.
func explainedByKueue(s *rule.JobContext, gate string) bool {
	if !strings.HasPrefix(gate, "kueue.x-k8s.io/") || s.Job.Queue == nil {
		return false
	}
	return gate != topologyGate || !s.Job.Queue.Admitted
}
