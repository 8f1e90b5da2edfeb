package recording

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Marker compares snapshots and returns what happened between them, for the
// timeline; cli/findingmarks does so for diagnoses. The first
// snapshot is the baseline and yields no marks. The zero value is ready.
type Marker struct {
	begun   bool
	jobs    map[train.JobID]jobSeen
	nodes   map[string]bool // node name: ready or not
	sources map[string]train.SourceState
	seen    struct{ jobs, nodes, health uint64 }
}

type jobSeen struct {
	name     string
	phase    train.Phase
	restarts int
}

// Next compares a snapshot with the one before.
func (m *Marker) Next(s *store.Snapshot) []Mark {
	if !s.Settled() {
		return nil // these objects existed before the start
	}
	var marks []Mark
	add := func(kind MarkKind, job train.JobID, trouble bool, format string, args ...any) {
		if m.begun {
			marks = append(marks, Mark{At: s.Now, Kind: kind, Job: job, Trouble: trouble, Text: fmt.Sprintf(format, args...)})
		}
	}
	if !m.begun || m.seen.jobs != s.JobsVersion {
		m.lookAtJobs(s, add)
	}
	if !m.begun || m.seen.nodes != s.NodesVersion {
		m.lookAtNodes(s, add)
	}
	if !m.begun || m.seen.health != s.HealthVersion {
		m.lookAtSources(s, add)
	}
	m.begun, m.seen.jobs, m.seen.nodes, m.seen.health = true, s.JobsVersion, s.NodesVersion, s.HealthVersion
	return marks
}

type adder func(kind MarkKind, job train.JobID, trouble bool, format string, args ...any)

func (m *Marker) lookAtJobs(s *store.Snapshot, add adder) {
	now := make(map[train.JobID]jobSeen, len(m.jobs))
	for _, job := range s.Jobs() {
		if !job.Training {
			continue
		}
		is := jobSeen{job.Ref.String(), job.Phase, job.Restarts}
		was, known := m.jobs[job.ID]
		now[job.ID] = is
		switch {
		case !known:
			add(MarkNew, job.ID, false, "%s: new, %s", is.name, is.phase)
		case is.phase != was.phase:
			add(MarkPhase, job.ID, is.phase == train.Failed, "%s: %s → %s", is.name, was.phase, is.phase)
		}
		if known && is.restarts > was.restarts {
			add(MarkRestart, job.ID, true, "%s: %d restarts, %d more", is.name, is.restarts, is.restarts-was.restarts)
		}
	}
	for _, id := range sortedKeys(m.jobs) {
		if _, there := now[id]; !there {
			add(MarkGone, id, false, "%s: gone, it was %s", m.jobs[id].name, m.jobs[id].phase)
		}
	}
	m.jobs = now
}

func (m *Marker) lookAtNodes(s *store.Snapshot, add adder) {
	now := make(map[string]bool, len(m.nodes))
	for _, node := range s.Nodes() {
		now[node.Name] = node.Ready
		was, known := m.nodes[node.Name]
		switch {
		case known && was && !node.Ready:
			add(MarkNode, "", true, "node %s: no longer ready (%s)", node.Name, node.Trouble)
		case known && !was && node.Ready:
			add(MarkNode, "", false, "node %s: ready again", node.Name)
		}
	}
	for _, name := range sortedKeys(m.nodes) {
		if _, there := now[name]; !there {
			add(MarkNode, "", true, "node %s: gone", name)
		}
	}
	m.nodes = now
}

func (m *Marker) lookAtSources(s *store.Snapshot, add adder) {
	now := make(map[string]train.SourceState, len(m.sources))
	for _, h := range s.Health() {
		now[h.Source] = h.State
		was, known := m.sources[h.Source]
		switch {
		case h.State.Trouble() && !(known && was.Trouble()):
			add(MarkSource, "", true, "%s: %s", h.Source, h.Text)
		case known && was.Trouble() && !h.State.Trouble() && h.State.Settled():
			add(MarkSource, "", false, "%s: well again", h.Source)
		}
	}
	m.sources = now
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
