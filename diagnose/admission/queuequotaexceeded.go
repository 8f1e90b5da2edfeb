package admission

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/scheduling"
	"github.com/traintop/traintop/train"
)

var queueQuotaExceeded = rule.Cause{
	ID: "queue-quota-exceeded", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "The queue's quota is used up",
		Meaning: "The scheduler's queue has used up its share. The cluster itself may have room.",
		Fix: "See the queue's capability and what it holds. $ kubectl get queues.scheduling.volcano.sh -o wide\n" +
			"Raise the queue's capability, use another queue, or wait.",
	},
	Evidence: "Volcano: event on the PodGroup `resource in cluster is overused` or `queue resource quota insufficient`.",
	Hides:    []train.Cause{"gang-not-ready", "no-pods-operator-down", "insufficient-gpu"},

	Find: func(s *rule.JobContext) []train.Finding {
		g := scheduling.Gang(s)
		if g == nil || !g.Queue {
			return nil
		}
		f := s.NewFinding(s.SeverityAfter(g.Since, 5*time.Minute), g.Since)
		name := "?"
		if s.Job.Queue != nil {
			name = s.Job.Queue.Name
		}
		f.Title = fmt.Sprintf("Queue %s has used up its share, so the job waits", name)
		f.Explanation = "The limit is the queue's, not the cluster's: nodes may be free. The scheduler says: " + g.Says
		f.Evidence = g.Evidence
		f.Next = append(s.Current.Advice(), rule.Look("See the queue's share and what is used.", "kubectl", "describe", "queues.scheduling.volcano.sh/"+name))
		f.Verify = "The PodGroup turns Inqueue and the pods are created."
		return []train.Finding{f}
	},
}
