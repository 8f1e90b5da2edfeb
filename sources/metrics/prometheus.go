package metrics

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// lookback is how long Prometheus repeats the last sample of a series that
// has ended (the default of --query.lookback-delta).
const lookback = 5 * time.Minute

// promAnswer is the answer of /api/v1/query and /api/v1/query_range.
type promAnswer struct {
	Status    string   `json:"status"`
	Data      promData `json:"data"`
	ErrorType string   `json:"errorType"`
	Error     string   `json:"error"`
	Warnings  []string `json:"warnings"`
	Infos     []string `json:"infos"`
	// Partial is VictoriaMetrics' own mark, see partialAnswer.
	Partial bool `json:"isPartial"`
	// Without their envelope, as jq .data prints them.
	ResultType string          `json:"resultType"`
	Result     json.RawMessage `json:"result"`
}

type promData struct {
	ResultType string          `json:"resultType"`
	Result     json.RawMessage `json:"result"`
}

// UnmarshalJSON skips the data of other endpoints (lists of names).
func (d *promData) UnmarshalJSON(text []byte) error {
	type plain promData
	var data plain
	if json.Unmarshal(text, &data) == nil {
		*d = promData(data)
	}
	return nil
}

type promSeries struct {
	Metric map[string]string `json:"metric"`
	Value  promPoint         `json:"value"`
	Values []promPoint       `json:"values"`
}

// promPoint is [unix seconds, "number"]. An invalid one is blank.
type promPoint struct {
	at    time.Time
	value float64
	known bool
	// far is true for a time that no measurement can have; the point is not known.
	far bool
}

// mostSeconds is how far from 1970 a point may be: some 680 years.
const mostSeconds = math.MaxInt32 * 10

// farPoints counts the points with impossible times.
func farPoints(points []promPoint) (n int) {
	for i := range points {
		if points[i].far {
			n++
		}
	}
	return n
}

// farText reports that points were left out.
func farText(n int) string {
	return termtext.Count(n, "point") + termtext.Agree(n, " has a time", " have times") + " more than 680 years from 1970 and " + termtext.Agree(n, "is", "are") + " left out: a clock was wrong, or milliseconds were written as seconds"
}

func (p *promPoint) UnmarshalJSON(text []byte) error {
	var pair [2]json.RawMessage
	var seconds float64
	var number string
	if json.Unmarshal(text, &pair) != nil || json.Unmarshal(pair[0], &seconds) != nil {
		return nil
	}
	if json.Unmarshal(pair[1], &number) != nil {
		number = string(pair[1])
	}
	value, err := strconv.ParseFloat(number, 64)
	if math.Abs(seconds) > mostSeconds {
		*p = promPoint{far: true}
		return nil
	}
	if err != nil {
		return nil
	}
	whole, part := math.Modf(seconds)
	*p = promPoint{time.Unix(int64(whole), int64(part*1e9)).UTC(), value, true, false}
	return nil
}

// readPrometheus reads answers of the Prometheus HTTP API: one, or what several queries gave
// one behind the other, below the headings of curl -i and the commands that were typed.
func readPrometheus(text []byte, a *Answer, origin Origin) error {
	if list := bytes.TrimSpace(text); len(list) > 0 && list[0] == '[' { // its series alone, as jq .data.result prints them
		text = slices.Concat([]byte(`{"resultType":"vector","result":`), list, []byte{'}'})
	}
	var series []json.RawMessage
	listed, line := false, 0
	for len(text) > 0 {
		one, rest := firstAnswer(text)
		got, isList, err := readOneAnswer(slices.Concat(bytes.Repeat([]byte{'\n'}, line), one), a)
		if err != nil {
			return err
		}
		series, listed = append(series, got...), listed || isList
		line += bytes.Count(one, []byte{'\n'})
		text = bytes.TrimLeft(rest, " \t\r\n")
		line += bytes.Count(rest[:len(rest)-len(text)], []byte{'\n'})
		if len(text) == 0 {
			break
		}
		above := warningsAbove(text)
		if detectJSON(text[above:min(len(text), above+headSize)]) != PrometheusAPI || text[above] != '{' {
			a.AddProblem(line+1, "what is behind the answer was not read: %s", readings.Quote(text))
			break
		}
		line += bytes.Count(text[:above], []byte{'\n'})
		text = text[above:]
	}
	if listed {
		readSeries(series, a, origin)
	}
	return nil
}

// firstAnswer cuts a text behind its first value of JSON; one that has no end, or that is broken
// before its end, is all of the text.
func firstAnswer(text []byte) (one, rest []byte) {
	begin := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	var w jsonWalk
	n, done := w.walk(text[begin:])
	if next := bytes.TrimLeft(text[begin+n:], " \t\r\n"); !done || len(next) > 0 && next[0] != '{' && warningsAbove(next) == 0 {
		return text, nil
	}
	return text[:begin+n], text[begin+n:]
}

// readOneAnswer returns the series of an answer, and whether it has a list of them, which may be
// empty.
func readOneAnswer(text []byte, a *Answer) (series []json.RawMessage, isList bool, err error) {
	var answer promAnswer
	if err := json.Unmarshal(text, &answer); err != nil { // it was cut off, or a part of it is not JSON
		series = wholeSeries(text)
		a.AddProblem(readings.JSONLine(text, err), "not valid JSON: %v; the %d series before it were read", err, len(series))
		return series, true, nil
	}
	if answer.Result == nil {
		answer.ResultType, answer.Result = answer.Data.ResultType, answer.Data.Result
	}
	if answer.Partial {
		answer.Warnings = append(answer.Warnings, partialAnswer)
	}
	for _, warning := range answer.Warnings {
		a.AddProblem(0, "Prometheus warns that the answer may be partial: %s", readings.OneLine(warning))
	}
	for _, info := range answer.Infos {
		a.AddProblem(0, "Prometheus remarks: %s", readings.OneLine(info))
	}
	if answer.Error != "" || answer.Status == "error" {
		a.AddProblem(0, "Prometheus answered with an error (%s): %s", readings.OneLine(answer.ErrorType), readings.OneLine(answer.Error))
	}
	if answer.ResultType == "" && isSeriesList(answer.Result) {
		answer.ResultType = "vector" // or a matrix, which is read alike
	}
	switch answer.ResultType {
	case "vector", "matrix":
		if err := json.Unmarshal(answer.Result, &series); err != nil {
			return nil, false, fmt.Errorf("reading the result of a Prometheus answer: %w", err)
		}
		return series, true, nil
	case "":
		if len(a.Problems) == 0 {
			a.Note = "a Prometheus answer without series"
		}
	case "streams":
		a.Note = "log lines from Loki, no metrics"
	default:
		a.Note = fmt.Sprintf("a Prometheus answer of type %s, which names no series", readings.OneLine(answer.ResultType))
	}
	return nil, false, nil
}

func readSeries(all []json.RawMessage, a *Answer, origin Origin) {
	c := newCollector(a, origin)
	source := train.FromPrometheus
	c.source = &source
	c.exporters = exporterPods(all)
	nameless, far := 0, 0
	var newest time.Time
	for _, text := range all {
		var series promSeries
		if err := json.Unmarshal(text, &series); err != nil {
			a.AddProblem(0, "a series that cannot be read: %v: %s", err, readings.Quote(text))
			continue
		}
		c.seen++
		if series.Metric["__name__"] == "" && (series.Metric["gpu"] != "" || series.Metric["UUID"] != "") {
			nameless++
		}
		far += farPoints(series.Values) + farPoints([]promPoint{series.Value})
		newest = c.series(series, newest)
	}
	c.dropEnded(newest)
	c.finish()
	if far > 0 {
		a.AddProblem(0, "%s", farText(far))
	}
	if nameless > 0 {
		a.AddProblem(0, "%d series of GPUs have no metric name, as what a function or max by (...) computes; query the metric itself", nameless)
	}
	switch {
	case len(a.Readings) > 0 || len(a.Problems) > 0:
	case len(all) == 0:
		a.Note = "no series: nothing matches the query, so the exporter may not be scraped"
	default:
		a.Note = NoGPUSeries
	}
}

// exporterPods returns the pods that a series names beside exported_pod: they were
// scraped, and series of free GPUs name only them.
func exporterPods(all []json.RawMessage) map[holder]bool {
	pods := map[holder]bool{}
	for _, text := range all {
		var series struct{ Metric map[string]string }
		if json.Unmarshal(text, &series) == nil && series.Metric["exported_pod"] != "" {
			pods[holder{namespace: series.Metric["namespace"], pod: series.Metric["pod"]}] = true
		}
	}
	return pods
}

// uuidBefore matches a name that an exporter made of the UUID of a GPU and a quantity.
var uuidBefore = regexp.MustCompile(`^(GPU-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_(\w+)$`)

// series adds the newest point of a series.
func (c *collector) series(s promSeries, newest time.Time) time.Time {
	var t tags
	name := s.Metric["__name__"]
	found := uuidBefore.FindStringSubmatch(name)
	if found != nil {
		t.uuid, name = found[1], "gpu_"+found[2]
	}
	point := s.newest()
	if !point.known {
		return newest
	}
	delete(s.Metric, "__name__")
	for label, value := range s.Metric {
		t.set(label, value)
	}
	m, ofGPU := namedMetric{exporter: &nameless}, true
	if name != "" {
		m, ofGPU = namedMetricOf(name, "")
	}
	if found != nil { // the beginning of the name is no exporter's
		m.exporter = nil
	}
	if !ofGPU {
		return newest
	}
	f, measured := c.addSample(&m, maps.All(s.Metric), &t, point.value, point.at)
	if f == nil {
		return newest
	}
	c.recall(f, measured, &t, s.Values)
	if point.at.After(newest) {
		return point.at
	}
	return newest
}

// newest returns the last point that is a number.
func (s *promSeries) newest() promPoint {
	if s.Value.known {
		return s.Value
	}
	for i := len(s.Values) - 1; i >= 0; i-- {
		if p := s.Values[i]; p.known && !math.IsNaN(p.value) {
			return p
		}
	}
	return promPoint{}
}

// dropEnded removes earlier holders of a GPU that another pod holds now: a range
// answer contains the series of both.
func (c *collector) dropEnded(newest time.Time) {
	last := map[gpuSlot]time.Time{}
	for _, d := range c.devices {
		b := gpuSlotOf(&d.reading.GPU)
		if d.reading.At.After(last[b]) {
			last[b] = d.reading.At
		}
	}
	kept := c.devices[:0]
	for _, d := range c.devices {
		if last[gpuSlotOf(&d.reading.GPU)].Sub(d.reading.At) <= lookback {
			kept = append(kept, d)
		}
	}
	c.devices = kept
}
