package recording

import (
	"cmp"
	"encoding/binary"
	"slices"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// A snapshot keeps of each log its tail, its thinned curve, its newest
// marks, and the first and newest hits of each signature. Anything older is in
// the chunks before the snapshot.
const (
	maxLogs       = 2048
	tailBytes     = 16 << 10
	maxSamples    = 2000   // of one log
	maxAllSamples = 65_536 // of all logs
	minSamples    = 64
	maxLogMarks   = 512
	maxHits       = 4 // both of the first and of the newest hits of a signature
	maxSignatures = 64
)

// logStates are the current states of all logs.
type logStates struct {
	all     map[train.StreamID]*logState
	pods    map[podKey]int // how many logs each pod has
	written uint64
	samples int
}

type logState struct {
	changed store.StreamChanged
	known   bool // changed was set by an event
	tail    tail
	curve   thinCurve
	marks   []train.Mark
	hints   *train.ProgressHints
	hits    map[string]*keptHits
	broken  store.Broken
	open    bool
	written uint64
}

func newLogStates() logStates {
	return logStates{all: map[train.StreamID]*logState{}, pods: map[podKey]int{}}
}

func (l *logStates) get(id train.StreamID) *logState {
	l.written++
	s := l.all[id]
	if s == nil {
		if len(l.all) >= maxLogs {
			l.dropOldest()
		}
		s = &logState{}
		l.all[id] = s
		l.pods[podOf(id)]++
	}
	s.written = l.written
	return s
}

func (l *logStates) dropOldest() {
	var oldest train.StreamID
	least := uint64(1<<64 - 1)
	for id, s := range l.all {
		if s.written < least {
			oldest, least = id, s.written
		}
	}
	l.remove(oldest)
}

func (l *logStates) remove(id train.StreamID) {
	if s := l.all[id]; s != nil {
		l.samples -= len(s.curve.samples)
		delete(l.all, id)
		if l.pods[podOf(id)]--; l.pods[podOf(id)] == 0 {
			delete(l.pods, podOf(id))
		}
	}
}

func (l *logStates) change(e store.StreamChanged) {
	if e.Status.State == "" {
		l.remove(e.Stream)
		return
	}
	s := l.get(e.Stream)
	if e.Restart {
		l.samples -= len(s.curve.samples)
		*s = logState{written: s.written}
	}
	s.changed, s.known = e, true
	s.changed.Restart = false
}

func (l *logStates) add(e *store.Logged) {
	s := l.get(e.Stream)
	s.open = e.Open
	for i := range e.Lines {
		s.tail.add(&e.Lines[i])
	}
	if e.Hints != nil {
		s.hints = e.Hints
	}
	s.marks = append(s.marks, e.Marks...)
	if over := len(s.marks) - maxLogMarks; over > 0 {
		s.marks = slices.Delete(s.marks, 0, over)
	}
	for i := range e.Hits {
		s.addHit(e.Hits[i])
	}
	s.broken.Add(e.Broken)
	if len(e.Samples) > 0 {
		l.addSamples(s, e.Samples)
	}
}

func (l *logStates) addSamples(s *logState, more []train.Sample) {
	before := len(s.curve.samples)
	s.curve.add(more, max(minSamples, min(maxSamples, maxAllSamples/len(l.all))))
	l.samples += len(s.curve.samples) - before
}

// keptHits are the first and the newest hits of a signature.
type keptHits struct{ first, newest []train.LogHit }

func (s *logState) addHit(hit train.LogHit) {
	of := s.hits[hit.Signature]
	if of == nil {
		if len(s.hits) >= maxSignatures {
			return
		}
		if s.hits == nil {
			s.hits = map[string]*keptHits{}
		}
		of = &keptHits{}
		s.hits[hit.Signature] = of
	}
	if len(of.first) < maxHits {
		of.first = append(of.first, hit)
		return
	}
	if len(of.newest) == maxHits {
		of.newest = slices.Delete(of.newest, 0, 1)
	}
	of.newest = append(of.newest, hit)
}

// each visits events that restore the logs, in a fixed order.
func (l *logStates) each(visit func(store.Event)) {
	ids := make([]train.StreamID, 0, len(l.all))
	for id := range l.all {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, train.CompareStreams)
	for _, id := range ids {
		s := l.all[id]
		if s.known {
			visit(s.changed)
		}
		logged := s.logged(id)
		if len(logged.Lines)+len(logged.Samples)+len(logged.Marks)+len(logged.Hits)+len(logged.Broken) > 0 || logged.Hints != nil {
			visit(logged)
		}
	}
}

func (s *logState) logged(id train.StreamID) store.Logged {
	l := store.Logged{Stream: id, Lines: s.tail.lines(), Open: s.open, Samples: s.curve.samples, Marks: s.marks, Hints: s.hints, Broken: s.broken.List()}
	for _, of := range s.hits {
		l.Hits = append(append(l.Hits, of.first...), of.newest...)
	}
	slices.SortFunc(l.Hits, func(a, b train.LogHit) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Signature, b.Signature), cmp.Compare(a.Text, b.Text))
	})
	return l
}

// tail keeps the end of a log as bytes, in two halves; when the younger is
// full, it drops the older. It copies lines, since they are parts of larger
// texts that would stay in memory.
type tail struct {
	old, young []byte
	newest     int64 // number of the line at the end of young
	begins     int   // its offset
}

func (t *tail) add(line *train.LogLine) {
	if line.Number == t.newest && t.begins < len(t.young) {
		t.young = t.young[:t.begins] // a line that was redrawn
	}
	if len(t.young) > 0 && len(t.young)+len(line.Text) > tailBytes/2 {
		t.old, t.young = t.young, t.old[:0]
	}
	t.newest, t.begins = line.Number, len(t.young)
	t.young = binary.AppendVarint(t.young, line.Number)
	t.young = append(t.young, zoneOf(line.Time))
	if at := line.Time; zoneOf(at) != 0 {
		t.young = binary.LittleEndian.AppendUint64(t.young, uint64(at.UnixNano()))
	}
	t.young = binary.AppendUvarint(t.young, uint64(max(0, line.Cut)))
	t.young = binary.AppendUvarint(t.young, uint64(len(line.Text)))
	t.young = append(t.young, line.Text...)
}

func zoneOf(t time.Time) byte {
	switch {
	case t.IsZero() || !countable(t):
		return 0
	case t.Location() == time.UTC:
		return 2
	}
	return 1
}

func (t *tail) lines() []train.LogLine {
	var lines []train.LogLine
	for _, half := range [][]byte{t.old, t.young} {
		for d := (decoder{in: half}); len(d.in) > 0; {
			line := train.LogLine{Number: d.int()}
			if zone := d.byte(); zone != 0 {
				line.Time = time.Unix(0, int64(binary.LittleEndian.Uint64(d.bytes(8))))
				if zone == 2 {
					line.Time = line.Time.UTC()
				}
			}
			line.Cut, line.Text = int(d.uint()), string(d.bytes(d.uint()))
			lines = append(lines, line)
		}
	}
	return lines
}
