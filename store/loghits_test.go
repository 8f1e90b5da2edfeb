package store

import (
	"fmt"
	"testing"

	"github.com/traintop/traintop/train"
)

func hitAt(signature string, line int64) train.LogHit {
	return train.LogHit{Signature: signature, Line: line, Text: fmt.Sprint(signature, " at ", line), Rank: -1}
}

func hitLines(log *Log) string {
	text := ""
	for _, hit := range log.Hits {
		text += fmt.Sprintf("%s%d ", hit.Signature, hit.Line)
	}
	return text
}

func TestHitsKeepTheFirstAndTheNewest(t *testing.T) {
	s := newStore()
	id := train.StreamID{Namespace: "ml", Pod: "bert-0", Container: "pytorch"}
	s.Apply(Logged{Stream: id, Hits: []train.LogHit{hitAt("oom", 7), hitAt("nccl", 3)}})
	before := s.Snapshot().Log(id)
	for line := int64(10); line < 110; line++ {
		s.Apply(Logged{Stream: id, Hits: []train.LogHit{hitAt("nccl", line)}})
		if line%10 == 0 {
			s.Snapshot()
		}
	}
	log := s.Snapshot().Log(id)
	if got, want := hitLines(log), "nccl3 oom7 nccl10 nccl11 nccl12 nccl106 nccl107 nccl108 nccl109 "; got != want {
		t.Errorf("hits are %s\nwant %s", got, want)
	}
	if log.DroppedHits != 93 {
		t.Errorf("%d were dropped, want 93", log.DroppedHits)
	}
	if got := hitLines(before); got != "nccl3 oom7 " {
		t.Errorf("the first snapshot changed: %s", got)
	}
	restart := status(id, train.StreamLive)
	restart.Restart = true
	s.Apply(restart)
	if log := s.Snapshot().Log(id); len(log.Hits) > 0 || log.DroppedHits > 0 {
		t.Errorf("a log read again keeps %d hits", len(log.Hits))
	}
}

func TestHitsAreBounded(t *testing.T) {
	s := newStore()
	id := train.StreamID{File: "words.log"}
	for i := range 100_000 {
		s.Apply(Logged{Stream: id, Hits: []train.LogHit{hitAt(fmt.Sprint("s", i%1000), int64(i))}})
	}
	log := s.Snapshot().Log(id)
	if most := maxSignatures * (firstHits + newestHits); len(log.Hits) != most || log.DroppedHits != int64(100_000-most) {
		t.Errorf("%d hits are kept and %d dropped", len(log.Hits), log.DroppedHits)
	}
}

// The eight ranks of a node write into one log, each more than once: the log
// keeps the first hit of each rank, and the newest of all.
func TestHitsKeepEveryRank(t *testing.T) {
	s := newStore()
	id := train.StreamID{Namespace: "ml", Pod: "bert-0", Container: "pytorch"}
	line := int64(0)
	for range 3 {
		for rank := range 8 {
			line++
			hit := hitAt("nccl", line)
			hit.Rank = rank
			s.Apply(Logged{Stream: id, Hits: []train.LogHit{hit}})
		}
	}
	log := s.Snapshot().Log(id)
	if got, want := hitLines(log), "nccl1 nccl2 nccl3 nccl4 nccl5 nccl6 nccl7 nccl8 nccl21 nccl22 nccl23 nccl24 "; got != want {
		t.Errorf("hits are %s\nwant %s", got, want)
	}
	for i := range 100_000 {
		hit := hitAt(fmt.Sprint("s", i%32), int64(i+100))
		hit.Rank = i
		s.Apply(Logged{Stream: id, Hits: []train.LogHit{hit}})
	}
	if got, most := len(s.Snapshot().Log(id).Hits), maxSignatures*(firstHits+newestHits)+maxNamedHits; got > most {
		t.Errorf("%d hits are kept, at most %d should be", got, most)
	}
}
