package metrics

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// partSize is how much of an exposition is parsed at once. An exporter's
// answer is one part; a federation of a cluster is many, in bounded memory.
const partSize = 4 << 20

// readExposition reads the Prometheus text format, and OpenMetrics as far as
// it is the same. The library parses whole parts; a part that it rejects is
// read line by line, so that a bad line costs only itself.
func readExposition(in io.Reader, a *Answer, origin Origin) error {
	c := newCollector(a, origin)
	text := bufio.NewReaderSize(in, partSize)
	line := 1
	var failed error
	for {
		part, err := nextPart(text)
		if len(part) > 0 {
			c.part(part, line)
			line += bytes.Count(part, []byte{'\n'})
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				failed = fmt.Errorf("reading stopped at line %d: %w", line, err)
			}
			break
		}
	}
	c.finish()
	if len(a.Readings) == 0 && len(a.Problems) == 0 {
		a.Note = "no GPU metrics"
		if c.seen == 0 {
			a.Note = "no metrics at all: an exporter answers so before its first collection"
		}
	}
	return failed
}

// nextPart returns whole lines. A line longer than a part is returned in
// pieces, none of which is a sample.
func nextPart(text *bufio.Reader) ([]byte, error) {
	window, err := text.Peek(partSize)
	if len(window) == 0 {
		return nil, err
	}
	size := len(window)
	if err == nil { // more follows
		if end := bytes.LastIndexByte(window, '\n'); end >= 0 {
			size = end + 1
		}
	}
	part := bytes.Clone(window[:size])
	if _, err := text.Discard(size); err != nil {
		return nil, err
	}
	return part, nil
}

// part reads some lines, the first of which has the number line.
func (c *collector) part(part []byte, line int) {
	if bytes.IndexByte(part, '\r') >= 0 {
		part = bytes.ReplaceAll(part, []byte("\r\n"), []byte("\n"))
	}
	if !utf8.Valid(part) {
		part = bytes.ToValidUTF8(part, []byte("\uFFFD"))
	}
	if part[len(part)-1] != '\n' {
		part = append(part, '\n')
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	all, err := parser.TextToMetricFamilies(bytes.NewReader(part))
	if err == nil {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			c.samples(name, all[name])
		}
		return
	}
	c.lines(part, line, err)
}

// lines reads a part of which whole is what the library does not like.
func (c *collector) lines(part []byte, first int, whole error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	bad := 0
	number := first - 1
	for line := range bytes.Lines(part) {
		number++
		if content := bytes.TrimSpace(line); len(content) == 0 || content[0] == '#' {
			continue
		}
		all, err := parser.TextToMetricFamilies(bytes.NewReader(line))
		if err != nil {
			bad++
			c.answer.problem(number, "%s: %s", parseReason(err), quote(line))
			continue
		}
		for name, samples := range all {
			c.samples(name, samples)
		}
	}
	if bad > 0 {
		return
	}
	at := 0
	if parse := (expfmt.ParseError{}); errors.As(whole, &parse) {
		at = first + parse.Line - 1
	}
	c.answer.problem(at, "%s; its samples were read nevertheless", parseReason(whole))
}

// parseReason is the library's message without the line that it counted.
func parseReason(err error) string {
	var parse expfmt.ParseError
	if errors.As(err, &parse) {
		return "no sample of the Prometheus text format: " + parse.Msg
	}
	return err.Error()
}

// quote is the beginning of a line, for a message.
func quote(line []byte) string {
	const most = 80
	text := strings.ToValidUTF8(string(bytes.TrimSpace(line[:min(len(line), most*4)])), "\uFFFD")
	if runes := []rune(text); len(runes) > most {
		return fmt.Sprintf("%q…", string(runes[:most]))
	}
	return fmt.Sprintf("%q", text)
}

// samples takes the samples of one metric in.
func (c *collector) samples(name string, samples *dto.MetricFamily) {
	c.seen++
	f := familyOf(name)
	if f == nil {
		return
	}
	m := f.measure(name)
	var t tags
	for _, sample := range samples.Metric {
		value, isNumber := number(sample)
		if !isNumber {
			continue
		}
		t.clear()
		for _, label := range sample.Label {
			t.set(label.GetName(), label.GetValue())
		}
		c.add(f, m, name, &t, value, c.timeOf(sample))
	}
}

func number(sample *dto.Metric) (float64, bool) {
	switch {
	case sample.Gauge != nil:
		return sample.Gauge.GetValue(), true
	case sample.Counter != nil:
		return sample.Counter.GetValue(), true
	case sample.Untyped != nil:
		return sample.Untyped.GetValue(), true
	}
	return 0, false // a histogram or summary
}

// timeOf is when a sample was taken; exporters seldom say.
func (c *collector) timeOf(sample *dto.Metric) time.Time {
	if sample.TimestampMs == nil {
		return c.origin.At
	}
	return time.UnixMilli(sample.GetTimestampMs()).UTC()
}
