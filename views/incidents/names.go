package incidents

import (
	"fmt"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/views"
)

// namesApart are the names of jobs that several of these incidents would call
// the same, by the incidents' IDs: jobs of two kinds, a job that was deleted and
// one that was created anew, two attempts of one job.
func namesApart(f views.Frame, all []*alerts.Incident) map[alerts.IncidentID]string {
	same := make(map[string][]*alerts.Incident, len(all))
	for _, i := range all {
		if i.Shared == "" && len(i.Jobs) > 0 {
			same[about(i)] = append(same[about(i)], i)
		}
	}
	names := map[alerts.IncidentID]string{}
	for name, group := range same {
		kinds, jobs, attempts := false, false, false
		first := &group[0].Jobs[0]
		for _, i := range group {
			j := &i.Jobs[0]
			kinds = kinds || j.Kind != first.Kind || j.Group != first.Group
			jobs = jobs || j.ID != first.ID
			attempts = attempts || j.Attempt != first.Attempt
		}
		for _, i := range group {
			j, text := &i.Jobs[0], name
			if kinds {
				text = j.String()
			}
			if jobs && f.Snapshot.Job(j.ID) == nil {
				text += " (deleted)"
			}
			if attempts {
				text += fmt.Sprintf(" attempt %d", j.Attempt)
			}
			if text != name {
				names[i.ID] = text
			}
		}
	}
	return names
}
