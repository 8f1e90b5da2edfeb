package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/train"
)

// Lines of many logs leave the same state whether they are applied in one call
// or event by event.
func TestLogsAppliedAtOnceEqualLogsAppliedOneByOne(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	var events []Event
	for round := range 40 {
		for log := range 6 {
			// the containers restart again and again: old instances are
			// dropped
			e := Logged{Stream: train.StreamID{Namespace: "ml", Pod: fmt.Sprint("p", log%3), UID: "u", Container: "c", Restart: log / 3 * (round + maxInstances)}}
			for n := range 8 {
				line := int64(round*8 + n + 1)
				e.Lines = append(e.Lines, train.LogLine{Number: line, Text: fmt.Sprintf("step %d loss %d.5", line, log)})
				e.Samples = append(e.Samples, train.Sample{Line: line, Rank: -1, HasStep: true, Step: float64(line), Metrics: []train.Metric{{Name: "loss", Value: float64(log) + 0.5}}})
			}
			e.Marks = []train.Mark{{Line: int64(round), Kind: train.MarkKind("checkpoint")}}
			events = append(events, e)
		}
		if round == 20 {
			events = append(events, StreamChanged{Stream: train.StreamID{Namespace: "ml", Pod: "p1", UID: "u", Container: "c"}, Restart: true, Status: train.StreamStatus{State: train.StreamLive}})
		}
	}
	one, all := New(clock), New(clock)
	for _, event := range events {
		one.Apply(event)
	}
	all.Apply(events...)
	if n, lines := logged(events); n < 2 || lines <= fewLines {
		t.Fatalf("%d events of %d lines are few", n, lines)
	}
	if diff := cmp.Diff(logText(one.Snapshot()), logText(all.Snapshot())); diff != "" {
		t.Errorf("-one by one +at once\n%s", diff)
	}
}

// logText describes the state of all logs.
func logText(s *Snapshot) (text []string) {
	s.Logs(func(l *Log) bool {
		text = append(text, fmt.Sprint(l.ID, l.Version, len(l.Marks), l.Status, l.Lines.Len(), len(l.Samples.Rows)))
		for i := range l.Lines.Len() {
			text = append(text, l.Lines.At(i).Text)
		}
		for _, c := range l.Samples.Columns {
			text = append(text, fmt.Sprint(c.Name, c.Row, c.Values))
		}
		return true
	})
	return text
}
