package recording

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/traintop/traintop/train"
)

// Lines of one framework have the same numbers at the same positions, so a
// chunk needs few sample schemas. Each schema is written once; a sample then
// consists of the number of its schema and the values that differ.

// maxSchemas limits the schemas of a chunk; further samples are written in full
// (recordLogged).
const maxSchemas = 4096

// sampleSchema holds what samples have in common.
type sampleSchema struct {
	number            uint64 // in the chunk, from 0
	rank              int
	scope             train.StepScope
	hasStep, hasEpoch bool
	hasLine           bool // the line is in the same record
	times             byte // one of timeOfLine ...
	step, epoch       byte // a position in the line, inline or stepsOn
	names             []string
	places            []byte // of the metrics: a position in the line, or inline
}

// How the times of samples are encoded.
const (
	timeOfLine  = 0 // the time of the line
	timeApart   = 1 // each separately
	localMillis = 2 // whole milliseconds since the previous sample of the log
	utcMillis   = 3
)

// stepDelta encodes a step as its difference from the step of the log's previous
// sample; both are integers.
const stepDelta = 255

// lastSample is the sample that the next one of a log is encoded against.
type lastSample struct {
	schema *sampleSchema
	line   int64
	step   float64
	millis int64
}

// mayAddSchemas reports whether the chunk has room for the schemas of so many
// samples.
func (e *encoder) mayAddSchemas(samples int) bool { return len(e.schemas)+samples <= maxSchemas }

// writeSample encodes a sample with its schema.
func (e *encoder) writeSample(delta *streamDelta, s *train.Sample, lines []train.LogLine) {
	before := &delta.sample
	line := lineNumbered(lines, s.Line)
	tokens := numbersOf(line)
	schema := e.schemaOf(before, s, line, &tokens)
	e.int(s.Line - before.line)
	switch schema.times {
	case timeApart:
		e.time(s.Time)
	case localMillis, utcMillis:
		e.int(s.Time.UnixMilli() - before.millis)
	}
	switch schema.step {
	case inline:
		e.number(s.Step)
	case stepDelta:
		e.int(int64(s.Step) - int64(before.step))
	}
	if schema.epoch == inline {
		e.number(s.Epoch)
	}
	for i, place := range schema.places {
		if place == inline {
			e.number(s.Metrics[i].Value)
		}
	}
	before.keep(schema, s)
}

func (l *lastSample) keep(schema *sampleSchema, s *train.Sample) {
	l.schema, l.line, l.step = schema, s.Line, s.Step
	if schema.times >= localMillis {
		l.millis = s.Time.UnixMilli()
	}
}

// schemaOf writes the schema of a sample: 0 and the schema the first time in a
// chunk, else its number plus 1.
func (e *encoder) schemaOf(before *lastSample, s *train.Sample, line *train.LogLine, tokens *lineNumbers) *sampleSchema {
	is := &e.schema
	is.rank, is.scope, is.hasStep, is.hasEpoch, is.hasLine = s.Rank, s.Scope, s.HasStep, s.HasEpoch, line != nil
	is.times = timesOfSample(s, line)
	var hints sampleSchema
	if before.schema != nil {
		hints = *before.schema
	}
	is.step, is.epoch = stepOf(before, s, tokens, hints.step), tokens.place(s.Epoch, hints.epoch)
	is.names, is.places = is.names[:0], is.places[:0]
	for i := range s.Metrics {
		hint := byte(inline)
		if i < len(hints.places) {
			hint = hints.places[i]
		}
		is.names, is.places = append(is.names, s.Metrics[i].Name), append(is.places, tokens.place(s.Metrics[i].Value, hint))
	}
	if before.schema != nil && is.equal(before.schema) {
		e.uint(before.schema.number + 1)
		return before.schema
	}
	e.schemaKey = is.appendKey(e.schemaKey[:0])
	if known := e.schemas[string(e.schemaKey)]; known != nil {
		e.uint(known.number + 1)
		return known
	}
	made := *is
	made.number, made.names, made.places = uint64(len(e.schemas)), slices.Clone(is.names), slices.Clone(is.places)
	e.schemas[string(e.schemaKey)] = &made
	e.byte(0)
	e.writeShape(&made)
	return &made
}

// stepOf decides how the step of a sample is encoded. It does not search the
// line if the previous step was not in its line and the step grows by little.
func stepOf(before *lastSample, s *train.Sample, tokens *lineNumbers, hint byte) byte {
	const little = 64 // fits into one byte
	goesOn := isWhole(s.Step) && isWhole(before.step)
	if goesOn && hint == stepDelta && math.Abs(s.Step-before.step) < little {
		return stepDelta
	}
	if place := tokens.place(s.Step, hint); place != inline || !goesOn {
		return place
	}
	return stepDelta
}

// timesOfSample decides how the time of a sample is encoded.
func timesOfSample(s *train.Sample, line *train.LogLine) byte {
	switch {
	case line != nil && line.Time.Equal(s.Time) && line.Time.Location() == s.Time.Location():
		return timeOfLine
	case s.Time.IsZero() || !countable(s.Time) || s.Time.Nanosecond()%1e6 != 0:
		return timeApart
	case zoneOf(s.Time) == utcTimes:
		return utcMillis
	}
	return localMillis
}

// isWhole reports whether a step is an integer whose differences are exact.
func isWhole(v float64) bool {
	const exact = 1 << 50
	return v > -exact && v < exact && v == float64(int64(v)) && (v != 0 || 1/v > 0)
}

func (s *sampleSchema) equal(t *sampleSchema) bool {
	return s.rank == t.rank && s.scope == t.scope && s.hasStep == t.hasStep && s.hasEpoch == t.hasEpoch && s.hasLine == t.hasLine &&
		s.times == t.times && s.step == t.step && s.epoch == t.epoch && slices.Equal(s.places, t.places) && slices.Equal(s.names, t.names)
}

// appendKey appends bytes that identify the schema.
func (s *sampleSchema) appendKey(b []byte) []byte {
	b = binary.AppendVarint(b, int64(s.rank))
	b = append(b, byte(s.scope), flags(s.hasStep, s.hasEpoch, s.hasLine), s.times, s.step, s.epoch)
	for i, name := range s.names {
		b = append(b, s.places[i])
		b = binary.AppendUvarint(b, uint64(len(name)))
		b = append(b, name...)
	}
	return b
}

func (e *encoder) writeShape(s *sampleSchema) {
	e.int(int64(s.rank))
	for _, b := range []byte{byte(s.scope), flags(s.hasStep, s.hasEpoch, s.hasLine), s.times, s.step, s.epoch} {
		e.byte(b)
	}
	e.uint(uint64(len(s.names)))
	for i, name := range s.names {
		e.word(name)
		e.byte(s.places[i])
	}
}

// readSchema decodes a schema or its number; it returns an empty one after an
// error.
func (d *decoder) readSchema() *sampleSchema {
	n := d.uint()
	if n > 0 {
		if n-1 < uint64(len(d.schemas)) {
			return d.schemas[n-1]
		}
		d.fail()
		return &sampleSchema{}
	}
	s := &sampleSchema{rank: int(d.int()), scope: train.StepScope(d.byte())}
	set := d.byte()
	s.hasStep, s.hasEpoch, s.hasLine = set&1 != 0, set&2 != 0, set&4 != 0
	s.times, s.step, s.epoch = d.byte(), d.byte(), d.byte()
	for range d.count() {
		s.names, s.places = append(s.names, d.word()), append(s.places, d.byte())
	}
	if s.times > utcMillis {
		d.fail()
	}
	if d.err != nil {
		return &sampleSchema{}
	}
	d.schemas = append(d.schemas, s)
	return s
}

// readSamples decodes n samples, each of which takes at least two bytes.
func (d *decoder) readSamples(delta *streamDelta, lines []train.LogLine, n int) []train.Sample {
	if n*2 > len(d.in) {
		d.fail()
		return nil
	}
	all, room := make([]train.Sample, n), metricRoom{}
	for i := range all {
		room.samples = n - i
		if all[i] = d.readSample(delta, lines, &room); d.err != nil {
			return nil
		}
	}
	return all
}

// readSample decodes a sample; room provides memory for its metrics.
func (d *decoder) readSample(delta *streamDelta, lines []train.LogLine, room *metricRoom) train.Sample {
	before := &delta.sample
	schema := d.readSchema()
	s := train.Sample{Rank: schema.rank, Scope: schema.scope, HasStep: schema.hasStep, HasEpoch: schema.hasEpoch, Line: before.line + d.int()}
	var line *train.LogLine
	if schema.hasLine {
		if line = lineNumbered(lines, s.Line); line == nil {
			d.fail()
			return s
		}
		s.Time = line.Time
	}
	tokens := numbersOf(line)
	d.readSampleTime(&s, schema, before)
	if schema.step == stepDelta {
		s.Step = before.step + float64(d.int())
	} else {
		s.Step = d.at(&tokens, schema.step)
	}
	s.Epoch = d.at(&tokens, schema.epoch)
	s.Metrics = room.take(len(schema.names))
	for i := range s.Metrics {
		s.Metrics[i] = train.Metric{Name: schema.names[i], Value: d.at(&tokens, schema.places[i])}
	}
	before.keep(schema, &s)
	return s
}

func (d *decoder) readSampleTime(s *train.Sample, schema *sampleSchema, before *lastSample) {
	switch schema.times {
	case timeApart:
		s.Time = d.time()
	case localMillis, utcMillis:
		s.Time = instant((before.millis + d.int()) * 1000)
		if schema.times == utcMillis {
			s.Time = s.Time.UTC()
		}
	}
}

// at returns the number at a position of the line, or decodes an inline one.
func (d *decoder) at(tokens *lineNumbers, place byte) float64 {
	switch {
	case place == inline:
		return d.number()
	case tokens.has(int(place)):
		return tokens.value(place)
	}
	d.fail()
	return 0
}

// metricRoom allocates the metrics of a record's samples in few slices.
type metricRoom struct {
	left    []train.Metric
	samples int // samples still to come
}

// mostRoom limits one allocation, since the file's count of samples is not
// trusted.
const mostRoom = 1024

func (r *metricRoom) take(n int) []train.Metric {
	if n == 0 {
		return nil
	}
	if n > len(r.left) {
		r.left = make([]train.Metric, max(n, min(n*max(r.samples, 1), mostRoom)))
	}
	taken := r.left[:n:n]
	r.left = r.left[n:]
	return taken
}
