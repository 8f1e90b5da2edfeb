package metrics

import (
	"math"
	"slices"
	"time"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// collector merges samples into one reading per GPU, slice or share, in the order
// in which they first appear.
type collector struct {
	answer *Answer
	origin Origin
	// source replaces the exporter's own source when the samples came another way.
	source  *train.GPUSource
	devices []*device
	byKey   map[string]*device
	key     []byte
	// exporters are pods that were scraped, and so hold no GPU.
	exporters map[holder]bool
	seen      int       // samples seen, known or not
	shares    []*device // whose utilization may be a percentage or a share of 1
	pastOf    []int     // indexes in answer.Past of such utilizations
	unitless  []*device // whose utilization has no unit in its name
	tooMany   bool
	// unnumbered are samples of a GPU without a number, which may be the only one.
	unnumbered []unnumberedSample
	// newest: all samples have the same time, so none is older than another.
	newest bool
}

// device is one reading that is being built.
type device struct {
	reading train.GPUReading
	helper  [helpers - train.Quantities]float64 // NaN if unknown
	when    map[any]time.Time                   // of what outdated asks for; nil without times
	place   int                                 // index in the collector's list
	target  string                              // the address that was scraped
	apart   bool                                // as of its exporter
}

// empty resets all numbers.
func (d *device) empty() {
	d.reading.Values, d.reading.Events = train.Values{}, nil
	for i := range d.helper {
		d.helper[i] = math.NaN()
	}
}

func newCollector(answer *Answer, origin Origin) *collector {
	return &collector{answer: answer, origin: origin, byKey: map[string]*device{}}
}

// add adds one sample. It reports false for a sample that is not the exporter's.
func (c *collector) add(f *exporter, m *measure, name string, t *tags, value float64, at time.Time) bool {
	if f.device != nil && !f.device(t) || f.device == nil && t.index == "" && t.uuid == "" {
		return false
	}
	d := c.deviceOf(f, t)
	if d == nil {
		return true
	}
	if at.After(d.reading.At) {
		d.reading.At = at
	}
	if f.event != nil {
		if e, isEvent := f.event(name, t, value); isEvent && !c.outdated(d, eventKey{e.Kind, e.Name}, at) {
			d.count(e)
		}
	}
	if m != nil && (m.only == nil || m.only(t)) {
		c.set(d, m, name, value, at)
	}
	return true
}

// deviceOf returns the reading that a sample belongs to, a new one if needed.
func (c *collector) deviceOf(f *exporter, t *tags) *device {
	h := c.holderOf(t)
	c.setKey(f, t, h)
	d := c.byKey[string(c.key)]
	if d != nil && t.index != "" && d.reading.GPU.Index != "" && d.reading.GPU.Index != t.index && !(&train.GPU{UUID: t.uuid}).HasUUID() {
		c.key = append(c.key, t.index...) // one masked UUID for several GPUs
		d = c.byKey[string(c.key)]
	}
	if d != nil {
		complete(&d.reading.GPU, t)
		return d
	}
	if len(c.devices) >= MaxGPUs {
		if !c.tooMany {
			c.tooMany = true
			c.answer.AddProblem(0, "it tells of more than %d GPUs; the others are left out", MaxGPUs)
		}
		return nil
	}
	d = &device{place: len(c.devices), target: t.target, apart: f.apart}
	d.empty()
	d.reading = train.GPUReading{GPU: c.gpu(t, h), Source: f.source, At: c.origin.At}
	if c.source != nil && f.source != train.FromSMIExporter {
		d.reading.Source = *c.source
	}
	c.byKey[string(c.key)] = d
	c.devices = append(c.devices, d)
	return d
}

// holderOf returns the pod that holds a GPU; a pod that was scraped does not.
func (c *collector) holderOf(t *tags) holder {
	h := t.holder()
	if c.exporters[holder{namespace: h.namespace, pod: h.pod}] {
		return holder{}
	}
	return h
}

// setKey builds the key of a reading from all labels that distinguish GPUs, slices and holders.
func (c *collector) setKey(f *exporter, t *tags, h holder) {
	index, host := t.index, t.node
	if host == "" {
		host = t.host
	}
	known := f.keyless && (&train.GPU{UUID: t.uuid}).HasUUID() // it needs no index, and no machine
	if known || f.keyless && t.uuid != "" {
		index = ""
	}
	if known {
		host = ""
	}
	c.key = c.key[:0]
	for _, part := range [...]string{host, index, t.uuid, t.mig, t.profile, t.share, h.namespace, h.pod, h.container} {
		c.key = append(append(c.key, part...), 0)
	}
	if host == "" && !known { // two machines without a name
		c.key = append(c.key, t.target...)
	}
}

func (c *collector) gpu(t *tags, h holder) train.GPU {
	g := train.GPU{
		Node: c.origin.Node, Host: t.host, Index: t.index, UUID: t.uuid, Bus: t.bus, Model: t.model,
		MIG: train.MIG{Profile: t.profile, Instance: t.mig}, Share: t.share,
		Namespace: h.namespace, Pod: h.pod, Container: h.container,
	}
	if g.Node == "" {
		g.Node = t.node
	}
	return g
}

// complete fills the fields of a GPU that earlier samples left empty.
func complete(g *train.GPU, t *tags) {
	for _, pair := range [...]struct {
		to   *string
		from string
	}{{&g.Model, t.model}, {&g.Bus, t.bus}, {&g.Index, t.index}, {&g.Host, t.host}, {&g.Node, t.node}} {
		if *pair.to == "" {
			*pair.to = pair.from
		}
	}
}

// set sets a number, unless it means "unknown" or is impossible for a GPU.
func (c *collector) set(d *device, m *measure, name string, value float64, at time.Time) {
	if isBlank(value) || m.zeroUnknown && value == 0 {
		return
	}
	if m.share {
		c.shares = append(c.shares, d)
	}
	if m.unitless {
		c.unitless = append(c.unitless, d)
	}
	if m.orMilli && value > mostWatts {
		value *= milli
	}
	if m.scale != 0 && !(m.orMiB && value < 1/mib) {
		value *= m.scale
	}
	if helps := m.quantity >= train.Quantities; helps && !(value >= 0 && value < readings.Endless) || !helps && !readings.Plausible(m.quantity, value) {
		c.answer.AddProblem(0, "%s of GPU %s is %v, which no GPU can have; left out", name, d.called(), value)
		return
	}
	if m.quantity >= train.Quantities && c.outdated(d, m.quantity, at) {
		return
	}
	if m.quantity >= train.Quantities {
		d.helper[m.quantity-train.Quantities] = value
		return
	}
	if m.quantity == train.GPUXid && value != math.Trunc(value) {
		c.answer.AddProblem(0, "%s of GPU %s is %v, and an Xid is a whole number; left out", name, d.called(), value)
		return
	}
	if before, known := d.reading.Values.Get(m.quantity); known && (m.greatest && before > value || m.ifUnknown) {
		return
	}
	if c.outdated(d, m.quantity, at) {
		return
	}
	d.reading.Values.Set(m.quantity, value)
}

// eventKey is what an event counts.
type eventKey struct{ kind, name string }

// outdated reports whether a newer sample of the same was seen: of a page that has
// one twice with times, or of another series, which an Xid begins for instance. Of
// is a quantity or an eventKey. Samples of a page without times are all of one time.
func (c *collector) outdated(d *device, of any, at time.Time) bool {
	if c.newest || c.source == nil && d.when == nil && at.Equal(c.origin.At) {
		return false
	}
	if d.when == nil {
		d.when = map[any]time.Time{}
	}
	if d.when[of].After(at) {
		return true
	}
	d.when[of] = at
	return false
}

// count adds an event once, however often its sample is repeated.
func (d *device) count(e train.GPUEvent) {
	for i := range d.reading.Events {
		if at := &d.reading.Events[i]; at.Kind == e.Kind && at.Name == e.Name {
			*at = e
			return
		}
	}
	d.reading.Events = append(d.reading.Events, e)
}

func (d *device) called() string {
	g := &d.reading.GPU
	if g.Index == "" {
		return g.UUID
	}
	return g.Index
}

// isBlank reports whether a number is NaN, or one of DCGM's values for no number:
// dcgm_fields.h, the 16 values from DCGM_INT32_BLANK, DCGM_FP64_BLANK and
// DCGM_INT64_BLANK on mean blank, not found, not supported, not permitted.
func isBlank(value float64) bool {
	const int32Blank, fp64Blank, int64Blank = 0x7ffffff0, 1 << 47, 0x7ffffffffffffff0
	switch {
	case math.IsNaN(value):
		return true
	case value >= int32Blank && value < int32Blank+16:
		return true
	case value >= fp64Blank && value < fp64Blank+16:
		return true
	}
	return value == int64Blank // all 16 are one float64
}

// finish computes what depends on all samples together, and returns the readings in
// the answer.
func (c *collector) finish() {
	c.addUnnumbered()
	c.unitOfShares()
	c.resolveUnitless()
	c.devices = joinNamespaces(joinHosts(c.devices))
	for _, d := range c.devices {
		d.memory()
	}
	nameShares(c.devices)
	joined := joinHolders(joinUUIDs(c.devices))
	if c.source == nil {
		nameTargets(joined)
	}
	for _, d := range joined {
		c.answer.Readings = append(c.answer.Readings, d.reading)
	}
}

// unitOfShares decides whether utilizations are percentages or shares of 1: if one
// is above 1, all are percentages.
func (c *collector) unitOfShares() {
	greatest := c.greatestShareOfPast()
	for _, d := range c.shares {
		value, _ := d.reading.Values.Get(train.GPUUtilization)
		greatest = max(greatest, value)
	}
	if greatest > 1 {
		return
	}
	c.pastToPercent()
	done := map[*device]bool{}
	for _, d := range c.shares {
		if value, known := d.reading.Values.Get(train.GPUUtilization); known && !done[d] {
			d.reading.Values.Set(train.GPUUtilization, value*percent)
			done[d] = true
		}
	}
}

// memory computes the total from its parts, if no sample contains it.
func (d *device) memory() {
	v := &d.reading.Values
	if used, total := d.helper[boardUsed-train.Quantities], d.helper[boardTotal-train.Quantities]; !v.Known(train.GPUMemoryTotal) && used <= total && total > 0 {
		v.Set(train.GPUMemoryUsed, used)
		v.Set(train.GPUMemoryTotal, total)
	}
	used, known := v.Get(train.GPUMemoryUsed)
	free, reserved := d.helper[memoryFree-train.Quantities], d.helper[memoryReserved-train.Quantities]
	if !known && v.Known(train.GPUMemoryTotal) && !math.IsNaN(free) {
		total, _ := v.Get(train.GPUMemoryTotal)
		if math.IsNaN(reserved) {
			reserved = 0
		}
		v.Set(train.GPUMemoryUsed, max(0, total-free-reserved))
		return
	}
	if !known || v.Known(train.GPUMemoryTotal) || math.IsNaN(free) {
		return
	}
	if math.IsNaN(reserved) {
		reserved = 0
	}
	v.Set(train.GPUMemoryTotal, used+free+reserved)
}

// merge fills unknown fields of one reading from another of the same GPU.
func (d *device) merge(other *device) {
	d.reading.Values.Fill(&other.reading.Values)
	for i, value := range other.helper {
		if math.IsNaN(d.helper[i]) {
			d.helper[i] = value
		}
	}
	for _, e := range other.reading.Events {
		d.count(e)
	}
	if other.reading.At.After(d.reading.At) {
		d.reading.At = other.reading.At
	}
	fillGPU(&d.reading.GPU, &other.reading.GPU)
}

// fillGPU fills unknown names of a GPU from those of another reading of it.
func fillGPU(g, o *train.GPU) {
	for _, pair := range [...][2]*string{{&g.Node, &o.Node}, {&g.Host, &o.Host}, {&g.Index, &o.Index}, {&g.UUID, &o.UUID}, {&g.Bus, &o.Bus}, {&g.Model, &o.Model}} {
		if *pair[0] == "" {
			*pair[0] = *pair[1]
		}
	}
}

// place is the position of a GPU: its fields without UUID.
type place struct {
	node, host, index string
	mig               train.MIG
	share             string
	holder            holder
}

func placeOf(g *train.GPU) place {
	return place{g.Node, g.Host, g.Index, g.MIG, g.Share, holder{g.Namespace, g.Pod, g.Container}}
}

// joinUUIDs merges a reading without a UUID into the only reading at the same place that has one.
func joinUUIDs(all []*device) []*device {
	if !slices.ContainsFunc(all, func(d *device) bool { return d.reading.GPU.UUID == "" && d.reading.GPU.Index != "" }) {
		return all
	}
	named := map[place][]*device{}
	for _, d := range all {
		if d.reading.GPU.UUID != "" {
			at := placeOf(&d.reading.GPU)
			named[at] = append(named[at], d)
		}
	}
	return slices.DeleteFunc(all, func(d *device) bool {
		if d.reading.GPU.UUID != "" {
			return false
		}
		candidates := named[placeOf(&d.reading.GPU)]
		if len(candidates) != 1 {
			return false
		}
		candidates[0].merge(d)
		return true
	})
}

// nameShares completes shares of GPUs of which only the UUID is known from the
// reading of the whole GPU.
func nameShares(all []*device) {
	if !slices.ContainsFunc(all, func(d *device) bool { return d.isNamelessShare() }) {
		return
	}
	whole := map[string]*device{}
	for _, d := range all {
		if g := &d.reading.GPU; g.HasUUID() && g.Share == "" && g.MIG == (train.MIG{}) {
			whole[g.UUID] = d
		}
	}
	for _, d := range all {
		if of := whole[d.reading.GPU.UUID]; of != nil && d.isNamelessShare() {
			fillGPU(&d.reading.GPU, &of.reading.GPU)
		}
	}
}

func (d *device) isNamelessShare() bool {
	g := &d.reading.GPU
	return g.Share != "" && g.Index == "" && g.HasUUID()
}

// gpuSlot is one GPU or slice, without its holder.
type gpuSlot struct {
	place
	uuid string
}

func gpuSlotOf(g *train.GPU) gpuSlot {
	at := placeOf(g)
	at.holder, at.share = holder{}, ""
	return gpuSlot{at, g.UUID}
}

// joinHolders merges readings of a GPU without a pod into those with one: an
// exporter may report some quantities for the device and others for the pod on it.
func joinHolders(all []*device) []*device {
	held := map[gpuSlot][]*device{}
	free := 0
	for _, d := range all {
		if d.reading.GPU.Pod == "" && d.reading.GPU.Share == "" {
			free++
			continue
		}
		b := gpuSlotOf(&d.reading.GPU)
		held[b] = append(held[b], d)
	}
	if free == 0 || len(held) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(d *device) bool {
		if d.reading.GPU.Pod != "" || d.reading.GPU.Share != "" {
			return false
		}
		holders := held[gpuSlotOf(&d.reading.GPU)]
		if d.apart && len(holders) > 0 && holders[0].reading.GPU.Share != "" {
			return false
		}
		for _, other := range holders {
			other.merge(d)
		}
		return len(holders) > 0
	})
}
