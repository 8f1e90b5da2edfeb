package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var kueueInadmissible = cause{
	id: "kueue-inadmissible", stage: train.StageAdmission,
	meaning:  "Kueue can never admit the job as it stands: its queue does not exist, is stopped, or names a flavor that is not there.",
	evidence: "Workload condition QuotaReserved=False reason Inadmissible: `LocalQueue q doesn't exist`, `ClusterQueue c is inactive`; ClusterQueue condition Active=False.",
	fix:      "Correct the label kueue.x-k8s.io/queue-name, or have the queue or its flavor made.",
	text: logs.Words{
		Title:   "Kueue will not admit the job as it stands",
		Meaning: "The queue that the job names is absent or stopped, or the workload is not complete.",
		Fix:     "Compare the label kueue.x-k8s.io/queue-name with the queues. $ kubectl get localqueues,clusterqueues",
	},
	hides: []train.Cause{"suspended", "no-pods-operator-down", "scheduling-gate", "kueue-not-admitted"},

	find: func(s *jobContext) []train.Finding {
		v := s.kueue()
		if v == nil || v.cause != s.current.id {
			return nil
		}
		f := s.newFinding(s.severityAfter(v.since, startGrace), v.since)
		f.Title = fmt.Sprintf("Kueue cannot admit %s: %s", s.job.Ref, v.says)
		f.Explanation = s.current.meaning
		f.Evidence = v.evidence(s)
		f.Next = append(v.repair, v.next()...)
		if len(v.repair) == 0 {
			f.Next = append([]train.Step{do(s.current.fix)}, f.Next...)
		}
		f.Verify = "The Workload's condition Admitted turns True and the job gets its pods."
		return []train.Finding{f}
	},
}
