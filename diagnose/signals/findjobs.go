package signals

import (
	"fmt"
	"slices"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// jobs examines the jobs whose GPUs were measured.
func (f *finder) jobs() {
	look := map[train.JobID][]Signal{} // with the signals of their GPUs
	f.r.measured = f.measured()
	for _, id := range f.r.measured {
		of, old := f.s.Job(id), f.before.byJob[id]
		switch {
		case of == nil || of.Phase.Terminal():
		case old != nil && !f.dirty[id] && old.of == of && old.version == f.s.JobGPUsVersion(id) && f.s.Now.Sub(old.looked) < recheckInterval:
			f.r.byJob[id] = old
		default:
			look[id] = nil
		}
	}
	if len(look) == 0 {
		return
	}
	f.signalsOf(look)
	for id, ofGPUs := range look {
		f.job(f.s.Job(id), ofGPUs)
	}
}

// measured returns the jobs that hold GPUs of measured nodes. Nodes contain
// eight times as many entries about them: they are collected only when one
// differs.
func (f *finder) measured() []train.JobID {
	if !f.moved && len(f.r.byNode) == len(f.before.byNode) {
		return f.before.measured
	}
	ids := make([]train.JobID, 0, len(f.before.measured))
	known := make(map[train.JobID]bool, len(f.before.measured))
	for _, n := range f.r.byNode {
		for _, id := range n.jobs {
			if !known[id] {
				known[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// signalsOf adds to each job the signals of its GPUs and their nodes.
func (f *finder) signalsOf(jobs map[train.JobID][]Signal) {
	for _, n := range f.r.byNode {
		for i := range n.signals {
			s := n.signals[i]
			if s.GPU != "" {
				if all, wanted := jobs[s.Job]; wanted {
					jobs[s.Job] = append(all, s)
				}
				continue
			}
			s.Text = s.Node + ": " + s.Text
			for _, id := range n.jobs {
				if all, wanted := jobs[id]; wanted {
					jobs[id] = append(all, s)
				}
			}
		}
	}
}

// job examines one job. Its rules run only while it runs: before, its GPUs
// wait for it, and after, for nothing.
func (f *finder) job(of *train.Job, ofGPUs []Signal) {
	old := f.before.byJob[of.ID]
	if old == nil {
		old = &jobFound{}
	}
	j := &job{Job: of, scene: f.scene(old.notes)}
	now := &jobFound{of: of, version: f.s.JobGPUsVersion(of.ID), looked: f.s.Now}
	j.fill(f.s.GPUsOf(of))
	if of.Phase == train.Running {
		for order := range f.rules {
			if r := &f.rules[order]; r.job != nil {
				for _, s := range r.job(j) {
					s.Job = of.ID
					now.own = append(now.own, r.complete(s, order))
				}
			}
		}
	}
	now.notes = j.memory.now
	now.list = f.listOf(j, append(ofGPUs, now.own...))
	f.changed = f.changed || !equalSignals(old.list, now.list) || !equalSignals(old.own, now.own)
	f.r.byJob[of.ID] = now
}

// fill builds the GPUs of the job from its states.
func (j *job) fill(states []*train.GPUState) {
	j.gpus = make([]gpu, 0, len(states))
	for _, state := range states {
		if len(state.Sources) > 0 {
			j.gpus = append(j.gpus, gpuOf(j.scene, state, j.Job))
		}
	}
	j.fresh = make([]*gpu, 0, len(j.gpus))
	for i := range j.gpus {
		if g := &j.gpus[i]; g.Freshness(g.now) == train.Fresh {
			j.fresh = append(j.fresh, g)
		}
	}
	j.began = j.Started
	for i := range j.Ranks {
		if began := beganAt(&j.Ranks[i]); began.After(j.began) {
			j.began = began
		}
	}
}

// listOf returns a job's list: one signal about many GPUs appears once.
func (f *finder) listOf(j *job, all []Signal) []Signal {
	var list []Signal
	slices.SortStableFunc(all, byWeight)
	for first := 0; first < len(all); {
		end := first + 1
		for end < len(all) && all[end].Kind == all[first].Kind && all[end].Severity == all[first].Severity {
			end++
		}
		list = append(list, f.together(j, all[first:end])...)
		first = end
	}
	return f.withoutHidden(list)
}

// together merges signals of one kind into the job's.
func (f *finder) together(j *job, all []Signal) []Signal {
	var list, ofGPUs []Signal
	for _, s := range all {
		if s.GPU == "" {
			list = append(list, s)
		} else {
			ofGPUs = append(ofGPUs, s)
		}
	}
	if len(ofGPUs) == 0 {
		return list
	}
	sum := ofGPUs[0]
	sum.Ranks, sum.GPUs = ranksOf(ofGPUs), len(ofGPUs)
	for i := range ofGPUs {
		if since := ofGPUs[i].Since; !since.IsZero() && (sum.Since.IsZero() || since.Before(sum.Since)) {
			sum.Since = since
		}
	}
	say := f.rules[sum.order].together
	switch {
	case say != nil && (len(ofGPUs) > 1 || say(j, ofGPUs) == ""):
		sum.Text = say(j, ofGPUs)
	case len(ofGPUs) > 1:
		sum.Text = fmt.Sprintf("%s %s, and %s", gpuName(&sum), sum.Text, termtext.More(len(ofGPUs)-1, "GPU"))
	default:
		sum.Text = gpuName(&sum) + " " + sum.Text
	}
	if len(ofGPUs) > 1 {
		sum.GPU, sum.gpuIndex = "", ""
		if len(sum.Ranks) != 1 {
			sum.Rank = -1
		}
	}
	if sum.Text == "" {
		return list
	}
	return append(list, sum)
}

// withoutHidden omits signals that a worse one explains, or that repeat one
// about the same node.
func (f *finder) withoutHidden(list []Signal) []Signal {
	var hidden []string
	for i := range list {
		hidden = append(hidden, f.rules[list[i].order].hides...)
	}
	kept := list[:0]
	for _, s := range list {
		again := func(other Signal) bool {
			return s.Node != "" && s.GPUs == 0 && other.Kind == s.Kind && other.Node == s.Node
		}
		if !slices.Contains(hidden, s.Kind) && !slices.ContainsFunc(kept, again) {
			kept = append(kept, s)
		}
	}
	return kept
}

// collect builds the lists that the report returns.
func (f *finder) collect() {
	r := f.r
	r.jobs, r.gpus, r.nodes = map[train.JobID][]Signal{}, map[train.GPUID][]Signal{}, map[string][]Signal{}
	unsorted := map[train.GPUID]bool{}
	add := func(s *Signal) {
		if s.GPU != "" {
			r.gpus[s.GPU] = append(r.gpus[s.GPU], *s)
		}
		if s.Node != "" {
			of := *s
			if s.gpuIndex != "" {
				of.Text = "GPU " + s.gpuIndex + " " + s.Text
			}
			r.nodes[s.Node] = append(r.nodes[s.Node], of)
		}
	}
	for _, n := range r.byNode {
		r.sum.add(n.sum)
		for i := range n.signals {
			add(&n.signals[i])
		}
	}
	for id, j := range r.byJob {
		if len(j.list) > 0 {
			r.jobs[id] = j.list
		}
		for i := range j.own {
			add(&j.own[i])
			unsorted[j.own[i].GPU] = true
			slices.SortStableFunc(r.nodes[j.own[i].Node], byWeight)
		}
	}
	for id := range unsorted {
		slices.SortStableFunc(r.gpus[id], byWeight)
	}
}
