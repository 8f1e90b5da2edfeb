package metrics

import (
	"encoding/json"
	"hash/maphash"
	"io"
	"math"
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// Prometheus reads the answers of one server, round after round. It parses the
// labels of a series once; in later rounds it recognises the series by a hash of the
// labels' text. Only one goroutine may use it at a time.
type Prometheus struct {
	match string
	names []exporterNames
	// nodeMetrics are the metrics of this server that name nodes.
	nodeMetrics []string
	grouping    grouping
	most        int // metrics in one query; 0 is no limit
	crowded     bool

	collector *collector
	tracks    []*track // parallel to collector.devices
	seed      maphash.Seed
	series    map[uint64]promSlot
	metrics   []promMetric // what slots refer to
	metricAt  map[string]uint16
	round     [promPast + 1]uint32
	items     [promPast + 1]int // series in the newest answers of each kind
	described map[string]description
	problems  Answer
	scratch   []device
}

// description is the part of a GPU that need not be repeated with every sample.
type description struct{ model, bus string }

// promSlot is the device and metric of a series.
type promSlot struct {
	device int32 // index in collector.devices; -1 for none
	metric uint16
}

// promMetric is a metric, and the event that a series of it counts, if any. The name
// is "" for a series without a metric.
type promMetric struct {
	name    string
	measure *measure
	event   *train.GPUEvent
}

// track is what is known about a device besides its quick numbers.
type track struct {
	slow device
	// sample is when the exporter was last scraped, in the server's time; asked
	// is when the server received the query for the quick numbers.
	sample, asked time.Time
	round         [promPast + 1]uint32 // in which each kind last had an answer about it
}

// NewPrometheus returns a reader without series. match is added to every selector at
// a person's request, `cluster="a"`, or "".
func NewPrometheus(match string) *Prometheus {
	p := &Prometheus{match: match, seed: maphash.MakeSeed()}
	p.forget()
	return p
}

// forget drops all series; they are parsed again when they come again. Known
// exporter pods stay known.
func (p *Prometheus) forget() {
	exporters := map[holder]bool{}
	if p.collector != nil {
		exporters = p.collector.exporters
	}
	source := train.FromPrometheus
	p.problems = Answer{}
	p.collector = newCollector(&p.problems, Origin{})
	p.collector.source, p.collector.exporters, p.collector.newest = &source, exporters, true
	p.tracks, p.series = nil, map[uint64]promSlot{}
	p.metrics, p.metricAt = nil, map[string]uint16{}
	p.described = map[string]description{}
	p.grouping = grouping{holdersElsewhere: true, placed: true}
}

// SetNames sets the metrics that the server has, and returns how many of them are
// about GPUs.
func (p *Prometheus) SetNames(names []string) int {
	p.names, p.most, p.crowded = sortNames(names), 0, false
	p.nodeMetrics = slices.DeleteFunc(slices.Clone(nodeMetrics), func(name string) bool { return !slices.Contains(names, name) })
	count := 0
	for _, n := range p.names {
		count += len(n.quick) + len(n.slow)
	}
	return count
}

// Begin starts a new round; with slow, it is one that runs all queries. It then drops
// all series if too many have not come for long.
func (p *Prometheus) Begin(slow bool) {
	p.round[promQuick]++
	p.round[promAges]++
	if !slow {
		return
	}
	alive := 0
	for _, items := range p.items {
		alive += items
	}
	if len(p.series) > 2*alive+1000 {
		p.forget()
	}
	p.round[promSlow]++
	p.round[promIdentity]++
	p.items = [promPast + 1]int{}
}

// Read reads the answer to a query. Items before an error count.
func (p *Prometheus) Read(q PromQuery, in io.Reader) (PromAnswer, error) {
	if q.kind == promIdentity {
		return p.readIdentities(q, in)
	}
	var at time.Time
	answer, err := readAnswer(in, promVector, p.mostSeries(q), func(text []byte) bool {
		s, sound := cutSeries(text)
		point := parsePoint(s.value)
		if !sound || !point.known {
			return false
		}
		at = point.at
		p.sample(q, s.labels, point)
		return true
	})
	answer.At = at
	p.items[q.kind] = max(p.items[q.kind], answer.Items)
	return answer, err
}

// sample adds one sample.
func (p *Prometheus) sample(q PromQuery, labels []byte, point promPoint) {
	slot := p.slot(q, labels)
	if slot.device < 0 {
		return
	}
	t := p.tracks[slot.device]
	if q.kind == promAges {
		t.sample, t.round[promAges] = instant(point.value), p.round[promAges]
		return
	}
	d := p.collector.devices[slot.device]
	if q.kind == promSlow {
		d = &t.slow
	} else {
		t.asked = point.at
	}
	if t.round[q.kind] != p.round[q.kind] { // the first sample of this round
		t.round[q.kind] = p.round[q.kind]
		d.empty()
	}
	m := &p.metrics[slot.metric]
	if m.event != nil && point.value > 0 {
		e := *m.event
		e.Count = point.value
		d.count(e)
	}
	if m.measure != nil {
		p.collector.set(d, m.measure, m.name, point.value, point.at)
	}
}

// slot finds the slot of a series by the raw text of its labels.
func (p *Prometheus) slot(q PromQuery, labels []byte) promSlot {
	hash := p.hash(q.kind, labels)
	slot, known := p.series[hash]
	if !known {
		slot = p.place(q, labels)
		p.series[hash] = slot
	}
	return slot
}

// hash identifies the labels of a series in the answers of one kind.
func (p *Prometheus) hash(kind promKind, labels []byte) uint64 {
	return maphash.Bytes(p.seed, labels) ^ uint64(kind)<<56
}

// place parses the labels of a new series.
func (p *Prometheus) place(q PromQuery, labels []byte) promSlot {
	none := promSlot{device: -1}
	name, t, sound := readLabels(labels)
	f := q.exporter
	if name != "" {
		f = exporterOf(name)
	}
	if !sound || f == nil || !isDevice(f, &t) {
		return none
	}
	var m *measure
	if name != "" {
		m = f.measure(name)
	}
	if m != nil && m.only != nil && !m.only(&t) {
		return none
	}
	p.hostOf(&t)
	d := p.collector.deviceOf(f, &t)
	if d == nil {
		return none
	}
	p.follow()
	return promSlot{device: int32(d.place), metric: p.metric(name, f, m, &t)}
}

// follow makes the tracks of new devices.
func (p *Prometheus) follow() {
	for at := len(p.tracks); at < len(p.collector.devices); at++ {
		t := &track{}
		t.slow.reading.GPU = p.collector.devices[at].reading.GPU
		t.slow.empty()
		p.tracks = append(p.tracks, t)
	}
}

// metric returns the entry that a slot refers to, a new one if needed.
func (p *Prometheus) metric(name string, f *exporter, m *measure, t *tags) uint16 {
	key := name
	var event *train.GPUEvent
	if f.event != nil {
		if e, isEvent := f.event(name, t, 1); isEvent {
			event = &e
			key += "\x00" + e.Kind + "\x00" + e.Name + "\x00" + e.Window.String()
		}
	}
	at, known := p.metricAt[key]
	if !known && len(p.metrics) < math.MaxUint16 {
		at = uint16(len(p.metrics))
		p.metrics = append(p.metrics, promMetric{name, m, event})
		p.metricAt[key] = at
	}
	return at
}

// hostOf sets the exporter's pod as the host of a GPU that names none: the GPU is on
// the pod's node.
func (p *Prometheus) hostOf(t *tags) {
	if t.host == "" && t.node == "" && (t.hasExported || p.collector.exporters[holder{namespace: t.namespace, pod: t.pod}]) {
		t.host = t.pod
	}
}

// isDevice reports whether a sample is about one GPU.
func isDevice(f *exporter, t *tags) bool {
	if f.device != nil {
		return f.device(t)
	}
	return t.index != "" || t.uuid != ""
}

// readLabels parses labels from raw JSON.
func readLabels(text []byte) (name string, t tags, sound bool) {
	var labels map[string]string
	if json.Unmarshal(text, &labels) != nil {
		return "", t, false
	}
	for label, value := range labels {
		t.set(label, value)
	}
	return labels["__name__"], t, true
}
