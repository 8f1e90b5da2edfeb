package diagnosis

import (
	"slices"

	"github.com/traintop/traintop/actions/probes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// probeOf is the probe that a step names, where it can run.
func probeOf(f views.Frame, id string) (probes.Probe, bool) {
	if id == "" || f.Rights.NoCluster {
		return probes.Probe{}, false
	}
	return probes.Find(f.Probes, id)
}

// probe runs a probe in the ranks of a finding and shows the answers. Where the
// finding concerns one rank or names none, it runs in all ranks: a single
// answer cannot be compared.
func (v *View) probe(f views.Frame, id string, ranks []int) views.Effect {
	p, known := probes.Find(f.Probes, id)
	if !known {
		return views.Notice{Text: "there is no probe " + id, Failed: true}
	}
	if why := views.MayProbe(f, p); why != "" {
		return views.Notice{Text: why, Failed: true}
	}
	if v.job == nil {
		return views.Notice{Text: "the job is not there", Failed: true}
	}
	on := []train.Ref{v.job.Ref}
	if len(ranks) > 1 {
		on = v.podsOf(ranks)
	}
	return views.Probed(f, p, on)
}

// podsOf are the pods of ranks, the whole job where they have none.
func (v *View) podsOf(ranks []int) []train.Ref {
	var pods []train.Ref
	for i := range v.job.Ranks {
		if r := &v.job.Ranks[i]; slices.Contains(ranks, r.Index) && r.Pod != "" {
			pods = append(pods, r.PodRef())
		}
	}
	if len(pods) == 0 || len(pods) == len(v.job.Ranks) {
		return []train.Ref{v.job.Ref}
	}
	return pods
}
