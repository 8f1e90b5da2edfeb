package gpus

import (
	"time"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns/gpurows"
	"github.com/traintop/traintop/views/draw"
)

// summary counts the GPUs at an instant.
type summary struct {
	at                                   time.Time
	all, nodes                           int
	busy, idle, unmeasured, free, errors int
	unheld, missing                      int
	slices, freeSlices                   int    // MIG slices among all, and free ones
	elsewhere                            int    // of nodes that were not read
	rest                                 string // GPUs that nobody holds and no pod can get
	measuring                            gpurows.Measuring
	// confined: pods of other namespaces, which may hold GPUs that look free,
	// cannot be read.
	confined bool
}

// again counts again when time has passed: numbers become stale by themselves.
func (s *summary) again(v *View, f views.Frame) {
	if !f.Now().Equal(s.at) {
		*s = summary{}
		s.of(v.all, f)
	}
}

func (s *summary) of(rows []*row, f views.Frame) {
	s.at, s.confined = f.Now(), views.PodsOutOfSight(f.Snapshot)
	node := ""
	for i := range rows {
		r := rows[i]
		if r.GPU.Node != node || s.nodes == 0 {
			node = r.GPU.Node
			s.nodes++
		}
		if s.add(r); f.Snapshot.Node(node) == nil && !r.Missing {
			s.elsewhere += r.Cells()
		}
	}
	if len(f.Snapshot.Nodes()) > 0 && limitsOf(f) == "" { // as the list of nodes and the header count them
		free := f.Diagnosis.Signals().Free(f.Snapshot)
		s.free, s.freeSlices, s.rest = free.Free-free.Slices, free.Slices, free.Rest()
		totals := f.Snapshot.GPUs()
		s.all, s.slices = totals.All+s.elsewhere, totals.Slices
	}
}

func (s *summary) add(r *row) {
	n := r.Cells()
	s.measuring.See(r.GPUState)
	if r.Missing {
		s.missing += n
		return
	}
	s.all += n
	if r.Trouble.Broken() {
		s.errors += n
		if r.Vacant {
			return
		}
	}
	busy, known := r.Busy(s.at)
	switch {
	case r.Vacant && busy:
		s.unheld += n
	case r.Vacant:
		s.free += n
	case !known:
		s.unmeasured += n
	case busy:
		s.busy += n
	case r.Held():
		s.idle += n
	}
}

// parts are the counts beside the title.
func (s *summary) parts() []draw.Span {
	var parts []draw.Span
	add := func(n int, what string, role themes.Role) {
		if n > 0 {
			parts = append(parts, draw.Span{Text: draw.Count(n) + " " + what, Role: role})
		}
	}
	add(s.slices, "of them MIG slices", themes.Text)
	if s.nodes > 0 {
		parts = append(parts, draw.Span{Text: "on " + draw.Plural(s.nodes, "node"), Role: themes.Dim})
	}
	add(s.busy, "busy", themes.Text)
	add(s.idle, "idle but held", themes.Waiting)
	unheld, free := "busy but free", "free"
	if s.confined {
		unheld, free = "busy, holder out of sight", "free at most"
	}
	add(s.unheld, unheld, themes.Waiting)
	add(s.unmeasured, "not measured", themes.Dim)
	add(s.free, free, themes.Good)
	add(s.freeSlices, "slices "+free, themes.Good)
	if s.rest != "" {
		parts = append(parts, draw.Span{Text: s.rest, Role: themes.Dim})
	}
	add(s.errors, "in error", themes.Bad)
	add(s.missing, "missing", themes.Bad)
	return parts
}
