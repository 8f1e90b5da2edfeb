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
				// Kueue's Workload explains Kueue's own gates
				if !strings.HasPrefix(gate.Name, "kueue.x-k8s.io/") || s.Job.Queue == nil {
					gates[gate.Name] = true
				}
			}
			held = append(held, p)
		}
		if len(gates) == 0 || s.Job.Phase.Terminal() {
			return nil
		}
		list := capacity.SortedKeys(gates)
		f := s.NewFinding(s.SeverityAfter(held[0].CreationTimestamp.Time, 5*time.Minute), held[0].CreationTimestamp.Time, held...)
		f.Title = fmt.Sprintf("%s held by the scheduling gate %s", termtext.Count(len(held), "pod")+" "+termtext.Agree(len(held), "is", "are"), rule.Names(list))
		f.Explanation = s.Current.Meaning
		f.Evidence = []train.Evidence{rule.FieldEvidence(s.Ref(held[0]), "spec.schedulingGates", rule.Names(list), held[0].CreationTimestamp.Time, rule.RankOf(held[0]))}
		f.Next = []train.Step{rule.Do("Look at the controller that the gate is named after: it has to take the gate away."), rule.Look("See the pod.", rule.Kubectl("describe", s.Ref(held[0]))...)}
		f.Verify = rule.VerifyOf(train.StageSchedule)
		return []train.Finding{f}
	},
}
