package metrics

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/sources/metrics/tools"
)

// partSize is how much of an exposition is parsed at once. An exporter's answer is
// one part; a federation of a cluster is many, in bounded memory.
const partSize = 4 << 20

// readExposition reads the Prometheus text format, and of OpenMetrics all but the
// exemplars, which no GPU has. The library parses whole parts; a part that it rejects is read line by line,
// so that a bad line loses only itself.
func readExposition(in io.Reader, a *Answer, origin Origin) error {
	c := newCollector(a, origin)
	parts := partReader{in: in}
	line := 1
	var failed error
	for failed == nil {
		part, tooLong, err := parts.next()
		switch {
		case tooLong:
			a.AddProblem(line, "a line longer than %d MiB, which no exporter writes; left out", partSize>>20)
			line++
		case len(part) > 0:
			cut := errors.Is(err, io.EOF) && part[len(part)-1] != '\n' && !bytes.Equal(part[bytes.LastIndexByte(part, '\n')+1:], []byte("# EOF"))
			c.part(part, line)
			if line += bytes.Count(part, []byte{'\n'}); cut {
				a.AddProblem(line, "it ends inside a line, so the last number may be cut and what came behind is missing")
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			failed = fmt.Errorf("reading stopped at line %d: %w", line, err)
		}
	}
	c.finish()
	if len(a.Readings) == 0 && len(a.Problems) == 0 {
		a.Note = NoGPUs
		if c.seen == 0 {
			a.Note = "no metrics at all: an exporter answers so before its first collection"
		}
	}
	return failed
}

// partReader splits a text into parts of whole lines.
type partReader struct {
	in   io.Reader
	rest []byte // the incomplete line at the end of the previous part
}

// next returns whole lines, at most partSize bytes. A longer line is skipped and
// reported.
func (p *partReader) next() (part []byte, tooLong bool, err error) {
	part = append(make([]byte, 0, 128<<10), p.rest...)
	p.rest = nil
	for len(part) < partSize {
		if len(part) == cap(part) {
			part = slices.Grow(part, len(part)) // twice as much
		}
		n, err := p.in.Read(part[len(part):min(cap(part), partSize)])
		part = part[:len(part)+n]
		switch {
		case errors.Is(err, io.EOF):
			return part, false, err
		case err != nil: // it broke off, perhaps within a number
			return part[:bytes.LastIndexByte(part, '\n')+1], false, err
		}
	}
	end := bytes.LastIndexByte(part, '\n')
	if end < 0 {
		return nil, true, p.skipLine(part)
	}
	p.rest = bytes.Clone(part[end+1:])
	return part[:end+1], false, nil
}

// skipLine skips the rest of a line. buffer is scratch memory.
func (p *partReader) skipLine(buffer []byte) error {
	for {
		n, err := p.in.Read(buffer)
		if end := bytes.IndexByte(buffer[:n], '\n'); end >= 0 {
			p.rest = bytes.Clone(buffer[end+1 : n])
			return nil // the next read returns the error again
		}
		if err != nil {
			return err
		}
	}
}

// part parses some lines; line is the number of the first.
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
	all, err := parse(&parser, part)
	if err != nil {
		if text, is := asPrometheusText(part); is {
			part = text
			all, err = parse(&parser, part)
		}
	}
	if err == nil {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			c.samples(name, all[name])
		}
		return
	}
	c.lines(part, line, err)
}

// errParser is the error for a text on which the library panics: a label of which
// the quote is missing, after a metric without a name (common 0.67).
var errParser = errors.New("no text of metrics")

// parse calls the library, which panics on some texts.
func parse(parser *expfmt.TextParser, text []byte) (all map[string]*dto.MetricFamily, err error) {
	defer func() {
		if recover() != nil {
			all, err = nil, errParser
		}
	}()
	return parser.TextToMetricFamilies(bytes.NewReader(text))
}

// lines reads a part line by line; whole is the library's error for it.
func (c *collector) lines(part []byte, first int, whole error) {
	l := lineReader{c: c, parser: expfmt.NewTextParser(model.UTF8Validation)}
	number := first - 1
	for line := range bytes.Lines(part) {
		number++
		if content := bytes.TrimSpace(line); len(content) > 0 && content[0] != '#' {
			l.take(content, number)
		}
	}
	l.giveUp()
	if l.bad > 0 || isRepeatedHelp(whole) {
		return
	}
	at := 0
	if parse := (expfmt.ParseError{}); errors.As(whole, &parse) {
		at = first + parse.Line - 1
	}
	c.answer.AddProblem(at, "%s; its samples were read nevertheless", parseReason(whole))
}

// isRepeatedHelp recognises the library's error for a second HELP line of a metric.
// Exporters that write device by device repeat it (all-smi), and lose nothing.
func isRepeatedHelp(err error) bool {
	parse := expfmt.ParseError{}
	return errors.As(err, &parse) && strings.HasPrefix(parse.Msg, "second HELP line")
}

// lineReader parses samples one by one.
type lineReader struct {
	c      *collector
	parser expfmt.TextParser
	bad    int
	// waiting is a sample whose value may be on the next line, as in text copied
	// from Prometheus' console.
	waiting []byte
	at      int
}

func (l *lineReader) take(content []byte, number int) {
	switch {
	case l.waiting != nil && bareNumber.Match(content):
		content = fmt.Appendf(l.waiting, " %s", content)
		l.waiting = nil
	case content[len(content)-1] == '}':
		l.giveUp()
		l.waiting, l.at = bytes.Clone(content), number
		return
	}
	l.giveUp()
	l.sample(content, number)
}

// giveUp reports that a sample has no value.
func (l *lineReader) giveUp() {
	if l.waiting != nil {
		l.sample(l.waiting, l.at)
		l.waiting = nil
	}
}

func (l *lineReader) sample(content []byte, number int) {
	line, unknown := withoutErrorText(content)
	all, err := parse(&l.parser, append(bytes.Clone(line), '\n'))
	if found := remarked.FindSubmatch(line); err != nil && found != nil {
		all, err = parse(&l.parser, append(bytes.Clone(found[1]), '\n'))
	}
	if err != nil && tools.Typed.Match(content) {
		l.bad++ // it explains the library's error, and is no problem of the exporter
		return
	}
	if err != nil {
		l.bad++
		l.c.answer.AddProblem(number, "%s: %s", parseReason(err), readings.Quote(content))
		return
	}
	if unknown {
		l.bad++
		l.c.answer.AddProblem(number, "the exporter could not write the value: %s", readings.Quote(content))
	}
	for name, samples := range all {
		l.c.samples(name, samples)
	}
}

// remarked matches a sample behind whose value a person wrote what it means.
var remarked = regexp.MustCompile(`^([a-zA-Z_:][\w:]*(?:\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\})?[ \t]+[-+]?[\d.][\d.eE+-]*)[ \t]+[^\s\d.+-]`)

// bareNumber matches a line with only a value.
var bareNumber = regexp.MustCompile(`^[-+]?(?:\d[\d.eE+-]*|NaN|Inf)$`)

// errorText is what dcgm-exporter 4.x writes for a value that it cannot convert
// (issue 488). The GPU exists all the same.
var errorText = []byte("ERROR - FAILED TO CONVERT TO STRING")

func withoutErrorText(line []byte) ([]byte, bool) {
	if !bytes.Contains(line, errorText) {
		return line, false
	}
	return bytes.Replace(line, errorText, []byte("NaN"), 1), true
}

// parseReason returns the library's message without its line number.
func parseReason(err error) string {
	var parse expfmt.ParseError
	if errors.As(err, &parse) {
		return "no sample of the Prometheus text format: " + readings.OneLine(parse.Msg)
	}
	return readings.OneLine(err.Error())
}

// samples adds the samples of one metric.
func (c *collector) samples(name string, samples *dto.MetricFamily) {
	c.seen++
	m, ofGPU := namedMetricOf(name, samples.GetHelp())
	if !ofGPU {
		return
	}
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
		c.addSample(&m, labelsOf(sample.Label), &t, value, c.timeOf(sample))
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

// latestSeconds separates whole seconds, which OpenMetrics may write, from
// milliseconds: as seconds it is the year 5138, as milliseconds 1973.
const latestSeconds = 100_000_000_000

// timeOf returns the time of a sample; exporters seldom write one.
func (c *collector) timeOf(sample *dto.Metric) time.Time {
	if sample.TimestampMs == nil {
		return c.origin.At
	}
	at := sample.GetTimestampMs()
	if at > -latestSeconds && at < latestSeconds {
		return time.Unix(at, 0).UTC()
	}
	return time.UnixMilli(at).UTC()
}
