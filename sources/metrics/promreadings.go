package metrics

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// missedRounds is for how many rounds a GPU is kept when its query was not answered.
// Its age shows that it was not.
const missedRounds = 4

// Readings returns the current readings of all GPUs. shift is added to the server's
// clock to get ours. complete is true if every query of this round was answered: a
// GPU that no answer contained is then gone.
func (p *Prometheus) Readings(shift time.Duration, complete bool) []train.GPUReading {
	p.collector.unitOfShares()
	p.collector.shares = nil
	p.scratch = p.scratch[:0]
	if cap(p.scratch) < len(p.tracks) {
		p.scratch = make([]device, 0, len(p.tracks))
	}
	pointers := make([]*device, 0, len(p.tracks))
	for at, t := range p.tracks {
		if !p.there(t, complete) {
			continue
		}
		p.scratch = append(p.scratch, *p.collector.devices[at])
		d := &p.scratch[len(p.scratch)-1]
		p.finishDevice(d, t, shift)
		pointers = append(pointers, d)
	}
	pointers = joinHolders(joinUUIDs(pointers))
	readings := make([]train.GPUReading, len(pointers))
	for i, d := range pointers {
		readings[i] = d.reading
	}
	return readings
}

// Count is how many GPUs any answer contained so far.
func (p *Prometheus) Count() int { return len(p.tracks) }

// there reports whether a GPU was in an answer of this round, or may still be there.
func (p *Prometheus) there(t *track, complete bool) bool {
	kind := promQuick
	if t.round[promQuick] == 0 { // it has only slow quantities
		kind = promSlow
	}
	missed := p.round[kind] - t.round[kind]
	return t.round[kind] > 0 && (missed == 0 || !complete && missed <= missedRounds)
}

// finishDevice merges what the different queries returned about one GPU.
func (p *Prometheus) finishDevice(d *device, t *track, shift time.Duration) {
	t.slow.memory()
	d.reading.Values.Fill(&t.slow.reading.Values)
	d.reading.Events = t.slow.reading.Events
	at := t.asked
	if !t.sample.IsZero() && t.sample.Before(at) && p.round[promAges]-t.round[promAges] <= missedRounds {
		at = t.sample
	}
	if !at.IsZero() {
		d.reading.At = at.Add(shift)
	}
	g := &d.reading.GPU
	known := p.described[describedBy(g.UUID, g.Host, g.Index)]
	g.Model, g.Bus = cmp.Or(g.Model, known.model), cmp.Or(g.Bus, known.bus)
}

// Problems returns the values that were rejected since the last call, and how many
// more there were.
func (p *Prometheus) Problems() ([]Problem, int) {
	problems, dropped := p.problems.Problems, p.problems.Dropped
	p.problems.Problems, p.problems.Dropped = nil, 0
	return problems, dropped
}

// ReadPast reads the answer to a query of Pasts, with times in our clock.
func (p *Prometheus) ReadPast(q PromQuery, in io.Reader, shift time.Duration) ([]train.GPUPast, PromAnswer, error) {
	var reported Answer
	c := newCollector(&reported, Origin{})
	c.source, c.exporters = p.collector.source, p.collector.exporters
	var points []promPoint
	far := 0
	answer, err := readAnswer(in, promMatrix, p.mostSeries(q), func(text []byte) bool {
		s, sound := cutSeries(text)
		name, t, readable := readLabels(s.labels)
		f := exporterOf(name)
		if !sound || !readable || f == nil || len(reported.Past) >= MaxGPUs {
			return sound && readable
		}
		p.hostOf(&t)
		points = parsePoints(s.values, points[:0])
		far += farPoints(points)
		c.recall(f, f.measure(name), &t, points)
		return len(points) == 0 || slices.ContainsFunc(points, func(p promPoint) bool { return p.known })
	})
	if far > 0 {
		answer.Warnings = append(answer.Warnings, farText(far))
	}
	c.unitOfShares()
	for i := range reported.Past {
		for k := range reported.Past[i].Points {
			at := &reported.Past[i].Points[k].At
			*at = at.Add(shift)
		}
	}
	return reported.Past, answer, err
}

// maxNames bounds how many metric names are read.
const maxNames = 500_000

// ReadPromNames reads a list of strings, the answer of /api/v1/label/NAME/values.
func ReadPromNames(in io.Reader) ([]string, PromAnswer, error) {
	var names []string
	answer, err := readAnswer(in, promWords, math.MaxInt, func(text []byte) bool {
		isWord := len(text) > 2 && text[0] == '"'
		if isWord && len(names) < maxNames {
			names = append(names, string(text[1:len(text)-1]))
		}
		return isWord
	})
	return names, answer, err
}

// ErrNoNumber reports that an answer had no series, or one without a number.
var ErrNoNumber = errors.New("the answer has no number")

// ReadPromNumber reads the first number of an instant query's answer.
func ReadPromNumber(in io.Reader) (float64, PromAnswer, error) {
	var first promPoint
	answer, err := readAnswer(in, promVector, math.MaxInt, func(text []byte) bool {
		s, sound := cutSeries(text)
		point := parsePoint(s.value)
		if sound && !first.known {
			first = point
		}
		return sound && point.known
	})
	answer.At = first.at
	if err == nil && !first.known {
		err = fmt.Errorf("%d series: %w", answer.Items, ErrNoNumber)
	}
	return first.value, answer, err
}
