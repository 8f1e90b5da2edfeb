package admission

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var kueueInadmissible = rule.Cause{
	ID: "kueue-inadmissible", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "Kueue cannot admit the job as it is",
		Meaning: "Kueue can never admit the job as it is: its queue does not exist or is stopped, a flavor of the queue does not exist, or the Workload is not complete.",
		Fix: "See which queues there are. $ kubectl get localqueues,clusterqueues\n" +
			"Correct the label kueue.x-k8s.io/queue-name, or have the queue or its flavor created.",
	},
	Evidence: "Workload condition QuotaReserved=False reason Inadmissible: `LocalQueue q doesn't exist`, `ClusterQueue c is inactive`; ClusterQueue condition Active=False.",
	Hides:    []train.Cause{"suspended", "no-pods-operator-down", "scheduling-gate", "kueue-not-admitted"},

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
			f.Next = append(s.Current.Advice(), f.Next...)
		}
		f.Verify = "The Workload's condition Admitted turns True and the job gets its pods."
		return []train.Finding{f}
	},
}
