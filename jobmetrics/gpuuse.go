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

// label sets the labels of each use. Counts under other labels stay
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
	store.EachMeasuredNodeGPU(s, func(state *train.GPUState) {
		if !state.Held() {
			return
		}
		what := unmeasured
		if still, known := r.Signals().IdleNow(state, s.Now); known {
			what = busy
			if still {
				what = idle
			}
		}
		t.addGPUs(holdOf(state), what, max(1, state.Count), s.Now)
	})
	t.unmeasured.refresh(s)
	for held, gpus := range t.unmeasured.gpus {
		t.addGPUs(held, unmeasured, gpus, s.Now)
	}
	t.namespaces.dropOld(s.Now.Add(-t.keep))
	t.queues.dropOld(s.Now.Add(-t.keep))
}

// hold names what GPUs count for: a namespace, and the job of the pod that holds
// them, "" for none.
type hold struct {
	namespace string
	job       train.JobID
}

func holdOf(state *train.GPUState) hold {
	held := hold{namespace: state.GPU.Namespace}
	if state.Job != nil {
		held.job = state.Job.JobID()
		held.namespace = state.Job.Namespace
	}
	return held
}

// addGPUs counts GPUs for the job that holds them, its namespace and its queue.
func (t *tracker) addGPUs(held hold, what use, gpus int, now time.Time) {
	t.namespaces.of(held.namespace).add(what, gpus, now)
	of := t.jobs[held.job]
	if of == nil {
		return
	}
	of.gpus.add(what, gpus, now)
	if of.job.Queue != nil {
		t.queues.of(queueOf(of.job)).add(what, gpus, now)
	}
}

// unmeasuredGPUs counts what pods hold on nodes that no source measures, or of
// which none reports who holds which GPU. Only objects show it: the count holds until they
// change.
type unmeasuredGPUs struct {
	gpus                             map[hold]int
	jobs, nodes, measured, ofObjects uint64
}

func (u *unmeasuredGPUs) refresh(s *store.Snapshot) {
	if u.gpus != nil && u.jobs == s.JobsVersion && u.nodes == s.NodesVersion && u.measured == s.GPUsVersion && u.ofObjects == s.ObjectsVersion {
		return
	}
	u.jobs, u.nodes, u.measured, u.ofObjects = s.JobsVersion, s.NodesVersion, s.GPUsVersion, s.ObjectsVersion
	u.gpus = make(map[hold]int, len(u.gpus))
	count := func(state *train.GPUState) { u.gpus[holdOf(state)] += max(1, state.Count) }
	store.EachUnmeasuredNodeHold(s, count)
	store.EachUnnamedHold(s, count)
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
