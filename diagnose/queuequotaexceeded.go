package diagnose

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var queueQuotaExceeded = cause{
	id: "queue-quota-exceeded", stage: train.StageAdmission,
	meaning:  "The scheduler's queue has used up its share; the cluster itself may have room.",
	evidence: "Volcano: event on the PodGroup `resource in cluster is overused` or `queue resource quota insufficient`.",
	fix:      "Raise the queue's capability, use another queue, or wait.",
	text: logs.Words{
		Title:   "The queue's quota is used up",
		Meaning: "The queue, not the cluster, has no room.",
		Fix:     "See the queue's capability and what it holds. $ kubectl get queues.scheduling.volcano.sh -o wide",
	},
	hides: []train.Cause{"gang-not-ready", "no-pods-operator-down", "insufficient-gpu"},

	find: func(s *jobContext) []train.Finding {
		g := s.gang()
		if g == nil || !g.queue {
			return nil
		}
		f := s.newFinding(s.severityAfter(g.since, 5*time.Minute), g.since)
		name := "?"
		if s.job.Queue != nil {
			name = s.job.Queue.Name
		}
		f.Title = fmt.Sprintf("Queue %s has used up its share, so the job waits", name)
		f.Explanation = "The limit is the queue's, not the cluster's: nodes may be free. The scheduler says: " + g.says
		f.Evidence = g.evidence
		f.Next = []train.Step{do(s.current.fix), look("See the queue's share and what is used.", "kubectl", "describe", "queues.scheduling.volcano.sh/"+name)}
		f.Verify = "The PodGroup turns Inqueue and the pods are created."
		return []train.Finding{f}
	},
}
