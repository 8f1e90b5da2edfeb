package jobmetrics

import (
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// use is what a GPU does that a pod holds.
type use uint8

const (
	busy use = iota
	idle
	unmeasured
	uses
)

// gpuUse counts GPUs by what they do, and for how long they did it.
type gpuUse struct {
	// now are the GPUs held at the newest snapshot.
	now [uses]int
	// seconds are GPU-seconds up to it.
	seconds [uses]float64
	// held is when a GPU was last held, zero for never.
	held time.Time
	// labels are the labels of each use.
	labels [uses]labels
}

// label sets the labels of each use. What was counted under other labels stays
// behind with them.
func (u *gpuUse) label(of func(use string) labels) {
	for i := range u.labels {
		u.labels[i] = of(useNames[i])
	}
	u.seconds = [uses]float64{}
}

// pass counts the time since the last snapshot, in which the GPUs did what they
// did then.
func (u *gpuUse) pass(passed time.Duration) {
	for i, gpus := range u.now {
		u.seconds[i] += float64(gpus) * passed.Seconds()
	}
	u.now = [uses]int{}
}

func (u *gpuUse) add(what use, gpus int, now time.Time) {
	u.now[what] += gpus
	u.held = now
}

// countGPUs counts the time that has passed, and then what all GPUs do now.
func (t *tracker) countGPUs(s *store.Snapshot, r *diagnose.Report, passed time.Duration) {
	for _, k := range t.jobs {
		k.gpus.pass(passed)
	}
	t.namespaces.pass(passed)
	t.queues.pass(passed)
	var last *train.Ref
	var of *trackedJob
	for _, state := range s.AllGPUs() {
		if state.GPU.Pod == "" {
			continue
		}
		what, gpus := unmeasured, max(1, state.Count)
		if still, known := r.Signals().IdleNow(state, s.Now); known {
			what = busy
			if still {
				what = idle
			}
		}
		t.namespaces.of(state.GPU.Namespace).add(what, gpus, s.Now)
		if state.Job == nil {
			continue
		}
		if state.Job != last {
			last, of = state.Job, t.jobs[state.Job.JobID()]
		}
		if of == nil {
			continue
		}
		of.gpus.add(what, gpus, s.Now)
		if of.job.Queue != nil {
			t.queues.of(queueOf(of.job)).add(what, gpus, s.Now)
		}
	}
	t.namespaces.dropOld(s.Now.Add(-t.keep))
	t.queues.dropOld(s.Now.Add(-t.keep))
}

// mostGroups bounds the namespaces, and the queues, with series of their own;
// otherGroups has the GPU time of the rest.
const (
	mostGroups  = 500
	otherGroups = "(others)"
)

// groups is the GPU time of namespaces or of queues, by name.
type groups struct {
	id  id
	all map[string]*gpuUse
}

// of returns the group of a name.
func (g *groups) of(name string) *gpuUse {
	name = label(name)
	if known := g.all[name]; known != nil {
		return known
	}
	if len(g.all) >= mostGroups && name != otherGroups {
		return g.of(otherGroups)
	}
	if g.all == nil {
		g.all = map[string]*gpuUse{}
	}
	made := &gpuUse{}
	made.label(func(use string) labels { return labelsOf(g.id, name, use) })
	g.all[name] = made
	return made
}

func (g *groups) pass(passed time.Duration) {
	for _, one := range g.all {
		one.pass(passed)
	}
}

// dropOld drops groups that have held nothing since a time.
func (g *groups) dropOld(since time.Time) {
	for name, one := range g.all {
		if one.held.Before(since) {
			delete(g.all, name)
		}
	}
}

func (g *groups) samples(all []sample) []sample {
	for _, one := range g.all {
		all = one.samples(all, g.id)
	}
	return all
}

// samples appends the GPU-seconds.
func (u *gpuUse) samples(all []sample, as id) []sample {
	for i, seconds := range u.seconds {
		all = append(all, sample{id: as, value: seconds, labels: u.labels[i]})
	}
	return all
}
