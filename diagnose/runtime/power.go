package runtime

import (
	"fmt"
	"math"
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// powerOf is the power of a job's GPUs: now, and at its highest before an
// instant.
type powerOf struct {
	now, before float64 // W each, NaN when unknown
	share       float64 // of the power limit, NaN when unknown
	activity    float64 // of tensor cores or SMs, NaN when unknown
	gpu         train.GPUID
}

// powerWitnesses is how many GPUs represent all of a job.
const powerWitnesses = 8

// power reads the GPUs' power. Only fresh readings count as now.
func power(s *rule.JobContext, silent time.Time) (p powerOf) {
	states := s.GPUsOf(s.Job)
	step := max(1, len(states)/powerWitnesses)
	var now, before, share, activity mean
	for i := 0; i < len(states); i += step {
		g := states[i]
		if len(g.Sources) == 0 || g.Freshness(s.Now) != train.Fresh {
			continue
		}
		p.gpu = g.GPU.ID()
		if watts, known := g.Values.Get(train.GPUPower); known {
			now.add(watts)
			if limit, known := g.Values.Get(train.GPUPowerLimit); known && limit > 0 {
				share.add(watts / limit)
			}
			before.add(bestPower(s, p.gpu, silent))
		}
		for _, q := range [...]train.Quantity{train.GPUTensorActive, train.GPUSMActive} {
			if active, known := g.Values.Get(q); known {
				activity.add(active)
				break
			}
		}
	}
	p.now, p.before, p.share, p.activity = now.value(), before.value(), share.value(), activity.value()
	return p
}

// bestPower returns the highest power of a GPU over a minute, in the half hour
// before an instant; NaN when it was not measured then.
func bestPower(s *rule.JobContext, id train.GPUID, until time.Time) float64 {
	var minutes [30]float32
	s.GPUBuckets(id, train.GPUPower, until.Add(-time.Duration(len(minutes))*time.Minute), time.Minute, minutes[:])
	best, known := math.NaN(), 0
	for _, watts := range minutes {
		if watts != watts { // NaN
			continue
		}
		if known++; !(best >= float64(watts)) {
			best = float64(watts)
		}
	}
	if known < 3 {
		return math.NaN()
	}
	return best
}

// mean of the known values.
type mean struct{ sum, n float64 }

func (m *mean) add(v float64) {
	if !math.IsNaN(v) {
		m.sum, m.n = m.sum+v, m.n+1
	}
}

func (m *mean) value() float64 {
	if m.n == 0 {
		return math.NaN()
	}
	return m.sum / m.n
}

// stillComputes reports whether the GPUs keep computing although no line is
// printed, and how that is known.
func stillComputes(s *rule.JobContext, silent time.Time) (works bool, reported string) {
	const (
		active  = 0.05 // of tensor cores or SMs: above the noise of the counters
		asAlive = 0.8  // of the power before: between steps it falls less
		much    = 0.6  // of the limit: waiting in NCCL takes 35 to 50 %
	)
	p := power(s, silent)
	spins := false
	for _, signal := range s.Signals.Job(s.Job.ID) {
		spins = spins || signal.Kind == "spinning"
	}
	switch {
	case spins:
	case p.activity < active: // a counter that shows this is trusted
	case p.activity >= active && !(p.now < asAlive*p.before):
		return true, fmt.Sprintf("activity %.2f", p.activity)
	case p.now >= asAlive*p.before:
		return true, fmt.Sprintf("%.0f W each, %.0f W before", p.now, p.before)
	case math.IsNaN(p.before) && p.share >= much:
		return true, fmt.Sprintf("%.0f %% of their power limit", 100*p.share)
	}
	return false, ""
}

// addPower adds the GPUs' power in a hang, or that it is unknown.
func addPower(s *rule.JobContext, f *train.Finding, silent time.Time) {
	p := power(s, silent)
	if math.IsNaN(p.now) {
		f.Explanation += " No GPU of the job is measured, so nobody tells whether they compute while the output is held back."
		return
	}
	text := fmt.Sprintf("GPUs take %.0f W each", p.now)
	if !math.IsNaN(p.before) {
		text += fmt.Sprintf(", %.0f W before", p.before)
		f.Confidence = train.Certain
	}
	f.Evidence = append(f.Evidence, train.Evidence{Kind: train.EvidenceSeries, Object: s.Job.Ref, Text: text, Time: s.Now, Rank: -1, GPU: p.gpu, Metric: "power"})
}
