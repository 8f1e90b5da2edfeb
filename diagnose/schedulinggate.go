package diagnose

import (
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var schedulingGate = cause{
	id: "scheduling-gate", stage: train.StageSchedule,
	meaning:  "A scheduling gate holds the pods: schedulers pass them over until the gate's owner takes it away.",
	evidence: "PodScheduled=False with reason SchedulingGated; spec.schedulingGates.",
	fix:      "The controller that owns the gate takes it away; its name says whose it is.",
	text: logs.Words{
		Title:   "A scheduling gate holds the pods",
		Meaning: "A controller holds the pods back until it removes the gate.",
		Fix:     "See which gate, and look at the controller that owns it. $ kubectl get pods -o custom-columns=NAME:.metadata.name,GATES:.spec.schedulingGates",
	},

	find: func(s *jobContext) []train.Finding {
		var held []*pod
		gates := map[string]bool{}
		for _, p := range s.pods {
			if p.rank.State != train.RankGated {
				continue
			}
			for _, gate := range p.Spec.SchedulingGates {
				// Kueue's own gates are told by its Workload
				if !strings.HasPrefix(gate.Name, "kueue.x-k8s.io/") || s.job.Queue == nil {
					gates[gate.Name] = true
				}
			}
			held = append(held, p)
		}
		if len(gates) == 0 || s.job.Phase.Terminal() {
			return nil
		}
		list := sortedKeys(gates)
		f := s.newFinding(s.severityAfter(held[0].CreationTimestamp.Time, 5*time.Minute), held[0].CreationTimestamp.Time, held...)
		f.Title = fmt.Sprintf("%s held by the scheduling gate %s", termtext.Count(len(held), "pod")+" "+termtext.Agree(len(held), "is", "are"), names(list))
		f.Explanation = s.current.meaning
		f.Evidence = []train.Evidence{fieldEvidence(s.ref(held[0]), "spec.schedulingGates", names(list), held[0].CreationTimestamp.Time, rankOf(held[0]))}
		f.Next = []train.Step{do("Look at the controller that the gate is named after: it has to take the gate away."), look("See the pod.", kubectl("describe", s.ref(held[0]))...)}
		f.Verify = verifyOf(train.StageSchedule)
		return []train.Finding{f}
	},
}
