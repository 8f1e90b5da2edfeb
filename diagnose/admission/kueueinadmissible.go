package admission

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var kueueInadmissible = rule.Cause{
	ID: "kueue-inadmissible", Stage: train.StageAdmission,
	Meaning:  "Kueue can never admit the job as it stands: its queue does not exist, is stopped, or names a flavor that is not there.",
	Evidence: "Workload condition QuotaReserved=False reason Inadmissible: `LocalQueue q doesn't exist`, `ClusterQueue c is inactive`; ClusterQueue condition Active=False.",
	Fix:      "Correct the label kueue.x-k8s.io/queue-name, or have the queue or its flavor made.",
	Text: logs.Words{
		Title:   "Kueue will not admit the job as it stands",
		Meaning: "The queue that the job names is absent or stopped, or the workload is not complete.",
		Fix:     "Compare the label kueue.x-k8s.io/queue-name with the queues. $ kubectl get localqueues,clusterqueues",
	},
	Hides: []train.Cause{"suspended", "no-pods-operator-down", "scheduling-gate", "kueue-not-admitted"},

	Find: func(s *rule.JobContext) []train.Finding {
		v := kueue(s)
		if v == nil || v.cause != s.Current.ID {
			return nil
		}
		f := s.NewFinding(s.SeverityAfter(v.since, rule.StartGrace), v.since)
		f.Title = fmt.Sprintf("Kueue cannot admit %s: %s", s.Job.Ref, v.says)
		f.Explanation = s.Current.Meaning
		f.Evidence = v.evidence(s)
		f.Next = append(v.repair, v.next()...)
		if len(v.repair) == 0 {
			f.Next = append([]train.Step{rule.Do(s.Current.Fix)}, f.Next...)
		}
		f.Verify = "The Workload's condition Admitted turns True and the job gets its pods."
		return []train.Finding{f}
	},
}
