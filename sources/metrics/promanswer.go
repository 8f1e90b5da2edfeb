package metrics

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/traintop/traintop/sources/metrics/readings"
)

// PromError is an error that a server of the Prometheus API returns instead of data.
type PromError struct {
	Type string // "bad_data", "execution", "timeout", ...
	Text string
}

// Error is "type: text", in one line.
func (e *PromError) Error() string { return readings.OneLine(e.Type) + ": " + readings.OneLine(e.Text) }

// PromAnswer is the envelope of an answer's data.
type PromAnswer struct {
	// Items is how many series (or strings) it had.
	Items int
	// Warnings report that the answer may be incomplete.
	Warnings []string
	// At is the server's time at which an instant query was evaluated.
	At time.Time
}

// maxWarnings bounds how many warnings of an answer are kept.
const maxWarnings = 10

// The types of an answer's data: resultType, and none for a list of strings.
const (
	promVector = "vector"
	promMatrix = "matrix"
	promWords  = ""
)

// promReader reads one answer of the Prometheus API while it arrives.
type promReader struct {
	stream *jsonStream
	answer PromAnswer
	// wanted is the resultType that was asked for, kind the one that came. listed
	// is true once a list of results came.
	wanted, kind string
	listed       bool
	// most bounds how many series are read; readable is how many item could read.
	most, readable        int
	item                  func(text []byte) bool
	status, fault, reason string
}

// readAnswer reads an answer while it arrives, and calls item with each series, or
// each string of a list; item reports whether it could read it. For an error of the
// API, it returns a *PromError, for an answer that is not the API's a
// *PromMalformed, for too many series a *PromTooMany; item has then received the
// items before.
func readAnswer(in io.Reader, wanted string, most int, item func(text []byte) bool) (PromAnswer, error) {
	a := &promReader{stream: newJSONStream(in), wanted: wanted, most: most, item: item}
	err := a.stream.object(a.field)
	a.cleanWarnings()
	many := (*PromTooMany)(nil)
	switch {
	case a.reason != "" || a.status == "error":
		return a.answer, &PromError{Type: a.fault, Text: a.reason}
	case errors.As(err, &many):
		return a.answer, many
	case err != nil:
		return a.answer, a.unsound(err)
	}
	return a.answer, a.disagreement()
}

// field reads one field of the answer.
func (a *promReader) field(key string) error {
	switch key {
	case "data":
		return a.data()
	case "status":
		return a.stream.into(&a.status)
	case "errorType":
		return a.stream.into(&a.fault)
	case "error":
		return a.stream.into(&a.reason)
	case "warnings", "infos":
		return a.notes()
	case "isPartial":
		partial := false
		err := a.stream.into(&partial)
		if partial {
			a.answer.Warnings = append(a.answer.Warnings, partialAnswer)
		}
		return err
	}
	_, err := a.stream.value()
	return err
}

// partialAnswer is the warning about an answer with "isPartial": true, with which
// VictoriaMetrics' cluster version reports that a storage node did not answer
// (app/vmselect, replicationFactor and -search.denyPartialResponse).
const partialAnswer = "the answer is partial: a storage node of VictoriaMetrics did not answer"

// notes adds a server's warnings and infos.
func (a *promReader) notes() error {
	var notes []string
	err := a.stream.into(&notes)
	a.answer.Warnings = append(a.answer.Warnings, notes...)
	return err
}

// data reads the result of a query, or a list of strings.
func (a *promReader) data() error {
	c, err := a.stream.peek()
	switch {
	case err != nil:
		return err
	case c == '[' && a.wanted == promWords:
		return a.list()
	case c != '{':
		_, err := a.stream.value()
		return err
	}
	return a.stream.object(func(key string) error {
		c, err := a.stream.peek()
		switch {
		case err == nil && key == "result" && c == '[':
			return a.list()
		case err == nil && key == "resultType":
			return a.stream.into(&a.kind)
		}
		_, err = a.stream.value()
		return err
	})
}

// list reads series, or strings.
func (a *promReader) list() error {
	a.listed = true
	return a.stream.array(func() error {
		text, err := a.stream.value()
		if err != nil {
			return err
		}
		if a.answer.Items >= a.most {
			return &PromTooMany{Most: a.most}
		}
		a.answer.Items++
		if a.item(text) {
			a.readable++
		}
		return nil
	})
}

// cleanWarnings shortens a server's warnings, each to one line.
func (a *promReader) cleanWarnings() {
	a.answer.Warnings = a.answer.Warnings[:min(len(a.answer.Warnings), maxWarnings)]
	for i, warning := range a.answer.Warnings {
		a.answer.Warnings[i] = readings.OneLine(warning)
	}
	if left := a.answer.Items - a.readable; left > 0 && a.readable > 0 {
		a.answer.Warnings = append(a.answer.Warnings, fmt.Sprintf("%d of %d series of an answer have no number at a possible time and are left out", left, a.answer.Items))
	}
}

// into decodes a value, and leaves to unchanged if the value has another type.
func (s *jsonStream) into(to any) error {
	text, err := s.value()
	if err == nil {
		_ = json.Unmarshal(text, to)
	}
	return err
}

// seriesText is the raw text of one series.
type seriesText struct{ labels, value, values []byte }

func cutSeries(text []byte) (s seriesText, sound bool) {
	sound = eachField(text, func(key, value []byte) {
		switch string(key) {
		case "metric":
			s.labels = value
		case "value":
			s.value = value
		case "values":
			s.values = value
		}
	})
	return s, sound && s.labels != nil
}

// parsePoint reads [unix seconds, "number"]; known is false for an invalid one.
func parsePoint(text []byte) (p promPoint) {
	if len(text) < 5 || text[0] != '[' || text[len(text)-1] != ']' {
		return p
	}
	text = text[1 : len(text)-1]
	var first jsonWalk
	n, done := first.walk(text)
	if !done || n+1 >= len(text) {
		return p
	}
	seconds, err := strconv.ParseFloat(string(text[:n]), 64)
	if err != nil || !(math.Abs(seconds) < mostSeconds) {
		p.far = err == nil
		return p
	}
	number := trimmed(text[n+1:])
	if len(number) >= 2 && number[0] == '"' && number[len(number)-1] == '"' {
		number = number[1 : len(number)-1]
	}
	value, err := strconv.ParseFloat(string(number), 64)
	if err != nil {
		return p
	}
	return promPoint{instant(seconds), value, true, false}
}

// instant is a time of Prometheus, which has milliseconds.
func instant(seconds float64) time.Time {
	return time.UnixMilli(int64(math.Round(seconds * 1000))).UTC()
}

// trimmed removes the white space and the comma around a text.
func trimmed(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == ',') {
		text = text[1:]
	}
	for len(text) > 0 && text[len(text)-1] == ' ' {
		text = text[:len(text)-1]
	}
	return text
}

// parsePoints appends the points of a range to points.
func parsePoints(text []byte, points []promPoint) []promPoint {
	if len(text) < 2 || text[0] != '[' {
		return points
	}
	for rest := text[1:]; len(rest) > 0; {
		if rest[0] != '[' {
			rest = rest[1:] // a comma, a space, the end
			continue
		}
		var w jsonWalk
		n, done := w.walk(rest)
		if !done {
			return points
		}
		points = append(points, parsePoint(rest[:n]))
		rest = rest[n:]
	}
	return points
}
