package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Commands name the lines of a log that they did not read whole, once per log.
func TestLinesTooLongAreNamed(t *testing.T) {
	long := strings.Repeat("word ", 20_000) + "\n"
	one := logsIn(t, map[string]string{"train.log": "start\n" + long + "step: 1 loss: 2.0\n"})
	two := logsIn(t, map[string]string{"train.log": "start\n" + long + long + "step: 1 loss: 2.0\n"})
	for _, of := range [][]string{{"curves", "-o", "json"}, {"curves"}, {"diagnose", "-o", "json"}, {"diagnose"}} {
		for folder, want := range map[string]string{
			one: "line 2 is longer than 64 KiB; of the 34464 bytes behind that only failures were looked for",
			two: "2 lines are longer than 64 KiB, line 2 first; of the 68928 bytes behind that only failures were looked for",
		} {
			out, messages, _ := command(t, "", append(of, "--from", folder)...)
			said := messages
			if len(of) > 1 {
				said = out
			}
			if strings.Count(said, want) != 1 {
				t.Errorf("%q does not say %q once: %s", of, want, said)
			}
		}
	}
}

func TestLinesOnWhichAParserBrokeAreNamed(t *testing.T) {
	job := &train.Job{ID: "j", Ranks: []train.Rank{{}}}
	s := store.New(time.Now)
	stream := train.StreamID{File: "train.log"}
	s.Apply(store.StreamChanged{Stream: stream, Status: train.StreamStatus{State: train.StreamEnded}},
		store.Logged{Stream: stream, Broken: []train.BrokenLine{{Number: 7, Why: "index out of range"}, {Number: 9, Why: "nil map"}}},
		store.Logged{Stream: stream, Broken: []train.BrokenLine{{Number: 12, Why: "nil map"}}})
	snapshot := s.Snapshot()
	if jobs := snapshot.LogJobs(); len(jobs) == 1 {
		job = jobs[0]
	}
	said := cutLogs(snapshot, []*train.Job{job})
	if len(said) != 1 || said[0].Text != "a parser broke on 3 lines, line 7 first, which is a bug of traintop: index out of range; no value and no failure of that is known; report it with the line" {
		t.Errorf("said is %+v", said)
	}
	s.Apply(store.StreamChanged{Stream: stream, Status: train.StreamStatus{State: train.StreamLive}, Restart: true})
	if said := cutLogs(s.Snapshot(), []*train.Job{job}); len(said) != 1 || said[0].Text != "the file was emptied or replaced 1 time while it was followed; lines written just before may be missing" {
		t.Errorf("of a log that began anew is said %+v", said)
	}
}
