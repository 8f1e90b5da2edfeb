package jobmetrics

import (
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// clusterSamples appends the sums over the cluster, as the header of the screen
// shows them. While something that may hold jobs is not read, a count is the least that
// there are: one of 0 is not known, and absent.
func clusterSamples(all []sample, s *store.Snapshot, r *diagnose.Report) []sample {
	phases, needs := map[train.Phase]int{}, map[train.Severity]int{}
	for _, job := range s.Jobs() {
		if job.Training {
			phases[job.Phase]++
			needs[r.Need(job)]++
		}
	}
	partly := len(diagnose.HidingJobs(s, "", "")) > 0
	count := func(metric id, n int, value string) {
		if n > 0 || !partly {
			all = append(all, sample{metric, float64(n), labelsOf(metric, value)})
		}
	}
	for _, phase := range train.Phases {
		count(clusterJobs, phases[phase], string(phase))
	}
	if r == nil {
		return all
	}
	for _, severity := range [...]train.Severity{train.SeverityError, train.SeverityWarning} {
		count(jobsInNeed, needs[severity], string(severity))
	}
	return gpuSamples(all, s, r)
}

// gpuSamples counts the GPUs of the cluster. The holders of GPUs, and the free
// GPUs, are known when all pods are.
func gpuSamples(all []sample, s *store.Snapshot, r *diagnose.Report) []sample {
	add := func(state string, gpus int) {
		all = append(all, sample{clusterGPUs, float64(gpus), labelsOf(clusterGPUs, state)})
	}
	if s.GPUs().All == 0 {
		return all
	}
	sum := r.Signals().Sum()
	if sum.Held > 0 {
		add(useNames[busy], sum.Held-sum.Idle)
		add(useNames[idle], sum.Idle)
	}
	if !s.Complete(kinds.PodKind, "") {
		return all
	}
	add(useNames[unmeasured], max(0, s.GPUs().Held-sum.Held))
	free := r.Signals().Free(s)
	add("free", free.Free)
	add("dead", free.Dead)
	add("lost", free.Lost)
	add("cordoned", free.Cordoned)
	return all
}

// mostSources bounds the sources with series of their own: a cluster has some
// forty resources.
const mostSources = 200

// sourceSamples appends the health of the sources.
func (t *tracker) sourceSamples(all []sample, s *store.Snapshot) []sample {
	known := map[string]*sourceHealth{}
	for _, h := range s.Health() {
		if _, skips := h.Skips(); skips || h.LeavesOut() {
			continue
		}
		name := label(sourceName(h.Source))
		if known[name] == nil {
			if len(known) >= mostSources {
				continue
			}
			known[name] = &sourceHealth{parts: map[train.SourceState]int{}}
		}
		known[name].add(h)
	}
	silent := s.Silent()
	for name, h := range known {
		for state, parts := range h.parts {
			all = append(all, sample{sourceParts, float64(parts), labelsOf(sourceParts, name, label(string(state)))})
		}
		up, counts := h.up()
		if silent && strings.HasPrefix(name, "kube/") {
			up = false
		}
		if up && counts {
			t.lastSuccess[name] = s.Now
		}
		if counts {
			all = append(all, sample{sourceUp, number(up), labelsOf(sourceUp, name)})
		}
		if at := t.lastSuccess[name]; !at.IsZero() {
			all = append(all, sample{sourceLastSuccess, unix(at), labelsOf(sourceLastSuccess, name)})
		}
	}
	for name := range t.lastSuccess {
		if known[name] == nil {
			delete(t.lastSuccess, name)
		}
	}
	return all
}

// sourceHealth counts the parts of a source by state.
type sourceHealth struct {
	parts map[train.SourceState]int
	// down and read count the parts that decide whether the source is up.
	down, read int
}

// add counts a part. One exporter of many, which is down, is a matter of its
// node: their source reports as a whole whether exporters are read.
func (h *sourceHealth) add(part train.Health) {
	h.parts[part.State]++
	switch {
	case isExporter(part.Source):
	case part.State == train.SourceLive || part.State == train.SourceRead:
		h.read++
	case part.State != train.SourceForbidden && part.State != train.SourceAbsent:
		h.down++
	}
}

// up reports whether the source is read. It counts if there is a part that is or
// should be read: not one that is forbidden, or that the cluster lacks.
func (h *sourceHealth) up() (up, counts bool) { return h.down == 0, h.down+h.read > 0 }

// isExporter reports whether a part is the exporters of one node or namespace.
func isExporter(part string) bool {
	return strings.HasPrefix(part, "exporter/") || strings.HasPrefix(part, "exporters/")
}

// sourceName is the source that something is a part of. Exporters of nodes and
// of namespaces, and files, are parts of one source each: there may be thousands.
func sourceName(part string) string {
	switch {
	case isExporter(part):
		return "exporters"
	case strings.HasPrefix(part, "file "):
		return "files"
	case strings.HasPrefix(part, "kube/"):
		resource, _, _ := strings.Cut(strings.TrimPrefix(part, "kube/"), "/")
		return "kube/" + resource
	}
	return part
}
