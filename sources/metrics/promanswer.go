package metrics

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"
)

// PromError is what a server of the Prometheus API answers instead of data.
type PromError struct {
	Type string // "bad_data", "execution", "timeout", ...
	Text string
}

// Error is "type: text", in one line.
func (e *PromError) Error() string { return oneLine(e.Type) + ": " + oneLine(e.Text) }

// PromAnswer is what stands around the data of an answer.
type PromAnswer struct {
	// Items is how many series (or words) it had.
	Items int
	// Warnings say that it may be partial.
	Warnings []string
	// At is the server's time at which an instant query was evaluated.
	At time.Time
}

// maxWarnings bounds the warnings kept of an answer.
const maxWarnings = 10

// readAnswer reads an answer of the Prometheus API while it comes in, and
// calls item with each series, or each word of a list of them. An answer that
// is an error is a *PromError. After an answer that was cut off, the items
// before that have been told all the same.
func readAnswer(in io.Reader, item func(text []byte)) (PromAnswer, error) {
	var answer PromAnswer
	var status, kind, words string
	s := newJSONStream(in)
	eachItem := func() error {
		text, err := s.value()
		if err == nil {
			answer.Items++
			item(text)
		}
		return err
	}
	err := s.object(func(key string) error {
		switch key {
		case "data":
			return s.data(eachItem)
		case "status":
			return s.into(&status)
		case "errorType":
			return s.into(&kind)
		case "error":
			return s.into(&words)
		case "warnings":
			return s.into(&answer.Warnings)
		}
		_, err := s.value()
		return err
	})
	if len(answer.Warnings) > maxWarnings {
		answer.Warnings = answer.Warnings[:maxWarnings]
	}
	for i, warning := range answer.Warnings {
		answer.Warnings[i] = oneLine(warning)
	}
	switch {
	case words != "" || status == "error":
		return answer, &PromError{Type: kind, Text: words}
	case err != nil:
		return answer, fmt.Errorf("the answer is not sound after %d series: %w", answer.Items, err)
	case status == "":
		return answer, errors.New("the answer is JSON, but not one of the Prometheus API")
	}
	return answer, nil
}

// data reads the result of a query, or a list of words.
func (s *jsonStream) data(item func() error) error {
	c, err := s.peek()
	switch {
	case err != nil:
		return err
	case c == '[':
		return s.array(item)
	case c != '{':
		_, err := s.value()
		return err
	}
	return s.object(func(key string) error {
		c, err := s.peek()
		if err == nil && key == "result" && c == '[' {
			return s.array(item)
		}
		_, err = s.value()
		return err
	})
}

// into reads a value, and leaves to as it is where that is of another type.
func (s *jsonStream) into(to any) error {
	text, err := s.value()
	if err == nil {
		_ = json.Unmarshal(text, to)
	}
	return err
}

// seriesText is one series as it is written.
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

// parsePoint reads [unix seconds, "number"]; known is false for a broken one.
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
	if err != nil || !(math.Abs(seconds) < math.MaxInt32*10) {
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
	return promPoint{instant(seconds), value, true}
}

// instant is a time of Prometheus, which knows milliseconds.
func instant(seconds float64) time.Time {
	return time.UnixMilli(int64(math.Round(seconds * 1000))).UTC()
}

// trimmed is a text without the blanks and the comma around it.
func trimmed(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == ',') {
		text = text[1:]
	}
	for len(text) > 0 && text[len(text)-1] == ' ' {
		text = text[:len(text)-1]
	}
	return text
}

// parsePoints adds the points of a range to points.
func parsePoints(text []byte, points []promPoint) []promPoint {
	if len(text) < 2 || text[0] != '[' {
		return points
	}
	for rest := text[1:]; len(rest) > 0; {
		if rest[0] != '[' {
			rest = rest[1:] // a comma, a blank, the end
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
