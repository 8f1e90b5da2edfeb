package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var topologyMismatch = cause{
	id: "topology-mismatch", stage: train.StageAdmission,
	meaning:  "Kueue's quota has room, but no place of the topology that the job demands has room for it as a whole.",
	evidence: "Workload message `no topology domains at level: L` or `topology ... allows to fit only n out of m pod(s)`.",
	fix:      "Prefer the topology instead of requiring it, or ask for a wider level.",
	text: logs.Words{
		Title:   "The topology that the job asks for is not there",
		Meaning: "There is quota, but no set of nodes close enough together.",
		Fix:     "Ask for the topology as preferred instead of required.",
	},
	hides: []train.Cause{"suspended", "kueue-not-admitted", "no-pods-operator-down"},

	find: func(s *jobContext) []train.Finding {
		v := s.kueue()
		if v == nil || v.cause != s.current.id {
			return nil
		}
		f := s.newFinding(s.severityAfter(v.since, pendingGrace), v.since)
		f.Title = fmt.Sprintf("The topology that %s demands has no room: %s", s.job.Ref, v.says)
		f.Explanation = s.current.meaning
		f.Evidence = v.evidence(s)
		f.Next = append([]train.Step{do("Use the annotation kueue.x-k8s.io/podset-preferred-topology instead of podset-required-topology, or a wider level.")}, v.next()...)
		f.Verify = "The Workload's condition Admitted turns True and the job gets its pods."
		return []train.Finding{f}
	},
}
