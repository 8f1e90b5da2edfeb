package admission

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var kueueNotAdmitted = rule.Cause{
	ID: "kueue-not-admitted", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "Kueue has not admitted the job yet",
		Meaning: "Kueue holds the job back: its ClusterQueue has too little quota left, or an admission check is not done.",
		Fix: "See what the Workload waits for. $ kubectl describe workloads.kueue.x-k8s.io\n" +
			"Wait for your turn, use another queue, or ask for less.",
	},
	Evidence: "Workload condition QuotaReserved=False reason Pending with `insufficient unused quota`; Admitted=False while QuotaReserved=True is an admission check; Evicted=True reason PodsReadyTimeout and others put it back. Nominal quota, borrowing and lending limits of the ClusterQueue and its cohorts against what is reserved and asked. The job is suspended and has no pods.",
	Hides:    []train.Cause{"suspended", "no-pods-operator-down", "scheduling-gate", "gang-not-ready"},

	Find: func(s *rule.JobContext) []train.Finding {
		v := kueue(s)
		if v == nil || v.cause != s.Current.ID {
			return nil
		}
		severity := train.SeverityWarning // waiting is normal in a queue
		if v.never {
			severity = train.SeverityError
		}
		f := s.NewFinding(severity, v.since)
		f.Title = fmt.Sprintf("The job waits in queue %s: %s", v.queueName(), v.says)
		f.Explanation = "Kueue starts a job when the quota of its ClusterQueue has room for all of it."
		if v.checks {
			f.Explanation = "The quota of its ClusterQueue is reserved for the job. Kueue starts it when all admission checks of the queue are Ready."
		}
		if v.never {
			f.Title = fmt.Sprintf("The job can never be admitted by queue %s: %s", v.queueName(), v.says)
			f.Explanation = "The job asks for more than the whole quota of its ClusterQueue. Waiting does not help."
		}
		if v.evicted != "" {
			f.Title = fmt.Sprintf("Kueue put the job back into queue %s: %s", v.queueName(), v.says)
			f.Explanation = "Kueue had admitted the job and took its admission away. It ended the pods, and tries the job again later."
			if count := rule.MapAt(v.workload.Object, "status", "requeueState")["count"]; count != nil {
				f.Explanation += fmt.Sprintf(" It was put back %v times so far.", count)
			}
		}
		if place := s.Job.Queue.Place; place > 0 && !v.checks && !v.never {
			f.Explanation += fmt.Sprintf(" It is number %d of those that wait there.", place)
		}
		f.Evidence = v.evidence(s)
		if !v.checks {
			f.Evidence = append(f.Evidence, clusterQueueUse(s, v)...)
		}
		f.Next = v.next()
		f.Verify = "The Workload's condition Admitted turns True and the job gets its pods."
		return []train.Finding{f}
	},
}
