package recording

import (
	"slices"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// measuredKey identifies the source of a measurement and the node measured.
type measuredKey struct{ source, node string }

// measuredDelta is the previous round in the same chunk. The next round
// usually has the same GPUs and other numbers.
type measuredDelta struct {
	number   uint64 // in the chunk, from 0
	source   string
	node     string
	readings []train.GPUReading
}

func (e *encoder) measured(m *store.Measured) {
	key := measuredKey{m.Source, m.Node}
	before := e.boards[key]
	if before == nil {
		before = &measuredDelta{number: uint64(len(e.boards)), source: m.Source, node: m.Node}
		e.boards[key] = before
		e.byte(0)
		e.word(m.Source)
		e.word(m.Node)
	} else {
		e.uint(before.number + 1)
	}
	e.duration(m.Every)
	same := sameGPUs(before.readings, m.Readings)
	e.bool(same)
	if !same {
		e.uint(uint64(len(m.Readings)))
	}
	var nothing train.GPUReading
	for i := range m.Readings {
		r := &m.Readings[i]
		e.time(r.At)
		if same {
			e.values(&r.Values, &before.readings[i].Values)
			continue
		}
		e.board(r)
		e.values(&r.Values, &nothing.Values)
	}
	before.readings = m.Readings
}

func (d *decoder) measured() store.Measured {
	before := d.measuredBefore()
	m := store.Measured{Source: before.source, Node: before.node, Every: d.duration()}
	same := d.bool()
	n := len(before.readings)
	if !same {
		n = d.count()
	}
	if n*2 > len(d.in) { // each takes at least two bytes
		d.fail()
		return m
	}
	m.Readings = make([]train.GPUReading, n)
	for i := range m.Readings {
		r := &m.Readings[i]
		at := d.time()
		if same {
			*r = before.readings[i]
			r.At = at
			d.values(&r.Values)
		} else {
			d.board(r)
			r.At = at
			d.values(&r.Values)
		}
		if d.err != nil {
			return m
		}
	}
	before.readings = m.Readings
	return m
}

func (d *decoder) measuredBefore() *measuredDelta {
	n := d.uint()
	if n == 0 {
		before := &measuredDelta{source: d.word(), node: d.word()}
		if d.err == nil {
			d.boards = append(d.boards, before)
		}
		return before
	}
	if n-1 < uint64(len(d.boards)) {
		return d.boards[n-1]
	}
	d.fail()
	return &measuredDelta{}
}

// sameGPUs reports whether two rounds differ only in numbers and times.
func sameGPUs(a, b []train.GPUReading) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	for i := range a {
		x, y := &a[i], &b[i]
		if x.GPU != y.GPU || x.Source != y.Source || !slices.Equal(x.Slices, y.Slices) || !slices.Equal(x.Events, y.Events) {
			return false
		}
	}
	return true
}

// board writes a reading without its numbers and its time.
func (e *encoder) board(r *train.GPUReading) {
	g := &r.GPU
	for _, word := range []string{g.Node, g.Host, g.Index, g.UUID, g.Bus, g.Model, g.MIG.Profile, g.MIG.Instance, g.Share, g.Namespace, g.Pod, g.Container} {
		e.word(word)
	}
	e.byte(byte(r.Source))
	e.uint(uint64(len(r.Slices)))
	var nothing train.Values
	for i := range r.Slices {
		s := &r.Slices[i]
		for _, word := range []string{s.Profile, s.Instance, s.Device, s.UUID} {
			e.word(word)
		}
		e.values(&s.Values, &nothing)
	}
	e.uint(uint64(len(r.Events)))
	for i := range r.Events {
		v := &r.Events[i]
		e.word(v.Kind)
		e.word(v.Name)
		e.number(v.Count)
		e.duration(v.Window)
	}
}

func (d *decoder) board(r *train.GPUReading) {
	g := &r.GPU
	for _, word := range []*string{&g.Node, &g.Host, &g.Index, &g.UUID, &g.Bus, &g.Model, &g.MIG.Profile, &g.MIG.Instance, &g.Share, &g.Namespace, &g.Pod, &g.Container} {
		*word = d.word()
	}
	r.Source = train.GPUSource(d.byte())
	for range d.count() {
		s := train.GPUSlice{MIG: train.MIG{Profile: d.word(), Instance: d.word()}, Device: d.word(), UUID: d.word()}
		d.values(&s.Values)
		if r.Slices = append(r.Slices, s); d.err != nil {
			return
		}
	}
	for range d.count() {
		v := train.GPUEvent{Kind: d.word(), Name: d.word(), Count: d.number(), Window: d.duration()}
		if r.Events = append(r.Events, v); d.err != nil {
			return
		}
	}
}

// values writes the changes since the values before: which quantities changed
// (as bits, by their number in train) and which are no longer known, then each
// new number.
func (e *encoder) values(v, before *train.Values) {
	var changed, gone uint64
	for q := range train.Quantities {
		number, known := v.Get(q)
		old, was := before.Get(q)
		switch {
		case known && (!was || number != old):
			changed |= 1 << q
		case was && !known:
			gone |= 1 << q
		}
	}
	e.uint(changed)
	e.uint(gone)
	for q := range train.Quantities {
		if changed&(1<<q) != 0 {
			number, _ := v.Get(q)
			e.number(number)
		}
	}
}

func (d *decoder) values(v *train.Values) {
	changed, gone := d.uint(), d.uint()
	if (changed|gone)>>train.Quantities != 0 {
		d.fail()
		return
	}
	for q := range train.Quantities {
		switch {
		case changed&(1<<q) != 0:
			v.Set(q, d.number())
		case gone&(1<<q) != 0:
			v.Forget(q)
		}
	}
}

func (e *encoder) backfilled(r *store.Backfilled) {
	e.word(r.Source)
	e.uint(uint64(len(r.Past)))
	for i := range r.Past {
		p := &r.Past[i]
		e.board(&train.GPUReading{GPU: p.GPU})
		e.byte(byte(p.Quantity))
		e.uint(uint64(len(p.Points)))
		for _, point := range p.Points {
			e.time(point.At)
			e.number(point.Value)
		}
	}
}

func (d *decoder) backfilled() store.Backfilled {
	r := store.Backfilled{Source: d.word()}
	for range d.count() {
		var board train.GPUReading
		d.board(&board)
		past := train.GPUPast{GPU: board.GPU, Quantity: train.Quantity(d.byte())}
		if past.Quantity >= train.Quantities {
			d.fail()
		}
		for range d.count() {
			past.Points = append(past.Points, train.Point{At: d.time(), Value: d.number()})
		}
		if r.Past = append(r.Past, past); d.err != nil {
			return r
		}
	}
	return r
}

func (e *encoder) used(u *store.Used) {
	e.word(u.Source)
	e.bool(u.Complete)
	e.duration(u.Every)
	e.uint(uint64(len(u.Usage)))
	for i := range u.Usage {
		one := &u.Usage[i]
		for _, word := range []string{one.Node, one.Namespace, one.Pod, one.Container} {
			e.word(word)
		}
		e.time(one.At)
		e.duration(one.Window)
		e.duration(one.Every)
		e.usage(&one.Values)
	}
}

func (d *decoder) used() store.Used {
	u := store.Used{Source: d.word(), Complete: d.bool(), Every: d.duration()}
	for range d.count() {
		one := train.Usage{Node: d.word(), Namespace: d.word(), Pod: d.word(), Container: d.word(), At: d.time(), Window: d.duration(), Every: d.duration()}
		d.usage(&one.Values)
		if u.Usage = append(u.Usage, one); d.err != nil {
			return u
		}
	}
	return u
}

func (e *encoder) usage(v *train.UsageValues) {
	var known uint64
	for q := range train.UsageQuantities {
		if _, is := v.Get(q); is {
			known |= 1 << q
		}
	}
	e.uint(known)
	for q := range train.UsageQuantities {
		if number, is := v.Get(q); is {
			e.number(number)
		}
	}
}

func (d *decoder) usage(v *train.UsageValues) {
	known := d.uint()
	if known>>train.UsageQuantities != 0 {
		d.fail()
		return
	}
	for q := range train.UsageQuantities {
		if known&(1<<q) != 0 {
			v.Set(q, d.number())
		}
	}
}

// micros converts an instant to the unit of piece heads and records.
func micros(t time.Time) int64 { return t.UnixMicro() }

func instant(micros int64) time.Time { return time.UnixMicro(micros) }
