package admission

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var topologyMismatch = rule.Cause{
	ID: "topology-mismatch", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "No nodes that are close enough together have room",
		Meaning: "Kueue's quota has room, but no set of nodes as close together as the job's topology request demands has room for the whole job.",
		Fix:     "Ask for the topology as preferred instead of required, or for a wider level.",
	},
	Evidence: "Workload message `no topology domains at level: L` or `topology ... allows to fit only n out of m pod(s)`.",
	Hides:    []train.Cause{"suspended", "kueue-not-admitted", "no-pods-operator-down"},

	Find: func(s *rule.JobContext) []train.Finding {
		v := kueue(s)
		if v == nil || v.cause != s.Current.ID {
			return nil
		}
		f := s.NewFinding(s.SeverityAfter(v.since, rule.GangGrace), v.since)
		f.Title = fmt.Sprintf("The topology that %s demands has no room: %s", s.Job.Ref, v.says)
		f.Explanation = s.Current.Meaning
		f.Evidence = v.evidence(s)
		f.Next = append([]train.Step{rule.Do("Use the annotation kueue.x-k8s.io/podset-preferred-topology instead of podset-required-topology, or a wider level.")}, v.next()...)
		f.Verify = "The Workload's condition Admitted turns True and the job gets its pods."
		return []train.Finding{f}
	},
}
