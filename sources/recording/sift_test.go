package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext/corpus"
	"github.com/traintop/traintop/train"
)

// siftBegan is when the recordings of these tests begin, and siftLines how many
// lines they have, one a minute.
var siftBegan = time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)

const siftLines = 24

var siftStream = train.StreamID{Namespace: "ml", Pod: "bert-0", Container: "main"}

// siftPieces returns the pieces of a recording, each with its body.
func siftPieces(t *testing.T) (all [][]byte) {
	t.Helper()
	now := siftBegan
	path := filepath.Join(t.TempDir(), "a.ttrec")
	w, err := Create(path, Options{Now: func() time.Time { return now }, About: About{Logs: LogsAll}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range siftLines {
		now = now.Add(time.Minute)
		line := train.LogLine{Number: int64(i + 1), Time: now, Text: fmt.Sprintf("step %d", i)}
		w.Apply(store.Logged{Stream: siftStream, Lines: []train.LogLine{line}},
			store.Measured{Source: "dcgm", Node: "n", Readings: []train.GPUReading{{GPU: train.GPU{Node: "n", Index: "0"}, At: now}}})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := len(magicLine); at < len(text); {
		p, whole := readPiece(text[at:])
		if p.offset = int64(at); !whole || p.kind == kindIndex {
			break
		}
		all = append(all, slices.Clone(text[at:p.end()]))
		at = int(p.end())
	}
	return all
}

// altered returns a piece with another head.
func altered(text []byte, change func(p *piece)) []byte {
	p, _ := readPiece(text)
	change(&p)
	return append(p.append(nil), text[pieceHead:]...)
}

// read reads a recording of pieces; without an end it is damaged anyhow, so one
// is put there.
func read(t *testing.T, pieces ...[]byte) (lines int, info Info) {
	t.Helper()
	text := slices.Concat(magicLine, slices.Concat(pieces...))
	f, err := Read(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	s := store.New(time.Now)
	if err := f.Load(t.Context(), s, f.To(), Everything); err != nil {
		t.Fatal(err)
	}
	_, _ = f.Marks(t.Context()) // it fails only when the context ends
	s.Snapshot().Logs(func(log *store.Log) bool { lines += int(log.LinesRead()); return true })
	return lines, f.Info()
}

// of returns the index of the nth piece of a kind.
func of(t *testing.T, pieces [][]byte, k kind, n int) int {
	t.Helper()
	for i := range pieces {
		if p, _ := readPiece(pieces[i]); p.kind == k {
			if n--; n < 0 {
				return i
			}
		}
	}
	t.Fatalf("too few pieces %c", k)
	return 0
}

func TestAPieceFarFromTheOthersIsLeftOut(t *testing.T) {
	whole := siftPieces(t)
	all, info := read(t, whole...)
	if all != siftLines || len(info.Damage) > 0 {
		t.Fatalf("%d lines, %+v", all, info)
	}
	for _, year := range []int{1, 1700, 2200, 9999, 20000, 290000} {
		for _, k := range []kind{kindEvents, kindMeasures, kindNote} {
			pieces := slices.Clone(whole)
			at := micros(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC))
			i := of(t, pieces, k, 0)
			pieces[i] = altered(pieces[i], func(p *piece) { p.from, p.to = at, at })
			_, info := read(t, pieces...)
			if len(info.Damage) == 0 || !strings.Contains(info.Damage[0].String(), "a century or more") {
				t.Errorf("%c of the year %d: %+v", k, year, info.Damage)
			}
			if info.From.Before(siftBegan) || info.To.After(siftBegan.Add(time.Hour)) || len(info.Turns)+len(info.Gaps) > 0 {
				t.Errorf("%c of the year %d: from %s to %s, %+v, %+v", k, year, info.From, info.To, info.Turns, info.Gaps)
			}
		}
	}
	for i := range whole {
		whole[i] = altered(whole[i], func(p *piece) { p.from, p.to = mostInstant+1, mostInstant+1 })
	}
	text := slices.Concat(magicLine, slices.Concat(whole...))
	f, err := Read(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Load(t.Context(), store.New(time.Now), f.To(), Everything); err == nil || !strings.Contains(err.Error(), "a century or more") {
		t.Errorf("a recording that is nowhere in time: %v", err)
	}
}

func TestCopiesAndStraysAreLeftOutAndSaid(t *testing.T) {
	whole := siftPieces(t)
	event, second := of(t, whole, kindEvents, 0), of(t, whole, kindEvents, 1)
	about := func(change func(p *piece)) func([][]byte) [][]byte {
		return func(pieces [][]byte) [][]byte { pieces[event] = altered(pieces[event], change); return pieces }
	}
	for name, c := range map[string]struct {
		change func([][]byte) [][]byte
		says   string
		lines  int // -1 for fewer
	}{
		"a copy":            {func(p [][]byte) [][]byte { return slices.Insert(p, second+1, p[event]) }, "as a copy does", siftLines},
		"a copy at the end": {func(p [][]byte) [][]byte { return append(p, p[event]) }, "as a copy does", siftLines},
		"two that changed places": {func(p [][]byte) [][]byte {
			p[event], p[second] = p[second], p[event]
			return p
		}, "may be missing", -1},
		"the head twice":          {func(p [][]byte) [][]byte { return slices.Insert(p, second, p[0]) }, "as a copy does", siftLines},
		"no head":                 {func(p [][]byte) [][]byte { return p[1:] }, "the file has no head", siftLines},
		"an unknown kind":         {about(func(p *piece) { p.kind = 'z' }), "does not know", -1},
		"events as measures":      {about(func(p *piece) { p.kind = kindMeasures }), "is of another kind", -1},
		"events as marks":         {about(func(p *piece) { p.kind = kindMarks }), "is of another kind", -1},
		"events as a note":        {about(func(p *piece) { p.kind = kindNote }), "is no note", -1},
		"a piece of another hour": {about(func(p *piece) { p.from, p.to = p.from-3600e6, p.to-3600e6 }), "the time of a record", -1},
	} {
		lines, info := read(t, c.change(slices.Clone(whole))...)
		said := fmt.Sprint(info.Damage)
		if !strings.Contains(said, c.says) || len(info.Gaps)+len(info.Turns) > 0 {
			t.Errorf("%s: %s, %+v, %+v", name, said, info.Gaps, info.Turns)
		}
		if c.lines >= 0 && lines != c.lines || c.lines < 0 && lines >= siftLines {
			t.Errorf("%s: %d lines", name, lines)
		}
	}
}

// A recorder goes on behind pieces that are not read, and keeps them.
func TestARecorderKeepsWhatIsLeftOut(t *testing.T) {
	pieces := siftPieces(t)
	last := len(pieces) - 1
	pieces[last] = altered(pieces[last], func(p *piece) {
		p.from, p.to = micros(siftBegan.AddDate(5000, 0, 0)), micros(siftBegan.AddDate(5000, 0, 0))
	})
	text := slices.Concat(magicLine, slices.Concat(pieces...))
	path := filepath.Join(t.TempDir(), "a.ttrec")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := Create(path, Options{Now: func() time.Time { return siftBegan.Add(time.Hour) }, About: About{Logs: LogsAll}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(after, text) {
		t.Errorf("%d bytes, %v: what was there is not", len(after), err)
	}
}

// Whatever text a file has in its fields, none of it can change a screen.
func TestHostileTextsOfARecording(t *testing.T) {
	for _, c := range append(corpus.Hostile(), corpus.Text{Text: strings.Repeat("x\x1b[2J", 200_000)}) {
		now := siftBegan
		path := filepath.Join(t.TempDir(), "a.ttrec")
		x := c.Text
		stream := train.StreamID{Namespace: x, Pod: x, UID: x, Container: x, File: x}
		w, err := Create(path, Options{Now: func() time.Time { return now }, About: About{Source: x, Program: x}})
		if err != nil {
			t.Fatal(err)
		}
		w.Apply(store.HealthChanged{Health: train.Health{Source: "kube/" + x, State: train.SourceFailed, Text: x}},
			store.StreamChanged{Stream: stream, Status: train.StreamStatus{State: train.StreamFailed, Text: x}, Job: x},
			store.Logged{Stream: stream, Lines: []train.LogLine{{Number: 1, Text: x}}, Samples: []train.Sample{{Line: 1, Metrics: []train.Metric{{Name: x, Value: 1}}}},
				Marks: []train.Mark{{Kind: train.MarkKind(x), Line: 1}}, Hits: []train.LogHit{{Signature: x, Cause: train.Cause(x), Line: 1, Text: x, Captures: []string{x}, Frame: x}},
				Broken: []train.BrokenLine{{Number: 1, Why: x}}},
			store.Measured{Source: x, Node: x, Readings: []train.GPUReading{{GPU: train.GPU{Node: x, Index: x, UUID: x, Model: x}, Events: []train.GPUEvent{{Kind: x, Name: x}}}}},
			store.Used{Source: x, Usage: []train.Usage{{Node: x, Namespace: x, Pod: x, Container: x}}},
			store.Placed{Namespace: x, Queue: x, At: now, Every: time.Minute, Waiting: []store.WaitingPlace{{Namespace: x, Workload: x, Owner: x, Place: 1}}})
		w.Mark(Mark{At: now, Kind: MarkKind(x), Job: train.JobID(x), Text: x})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		addNote(t, path, Note{Gap: &Gap{From: now, To: now, Why: x}, Lost: []Loss{{What: x, Why: x}}})
		said := everythingIn(t, path)
		if err := corpus.Check(said); err != nil {
			t.Errorf("%.80q: %v", x, err)
		}
		if most := 12 * (mostWord + mostLine) * 4; len(said) > most {
			t.Errorf("%.80q: %d bytes come of it", x, len(said))
		}
	}
}

// addNote adds a note at the end of a file, which is then without an index.
func addNote(t *testing.T, path string, n Note) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	note, _ := jsonPiece(kindNote, micros(siftBegan), n)
	if err := os.WriteFile(path, append(text, note...), 0o600); err != nil {
		t.Fatal(err)
	}
}

// everythingIn returns all events, marks and notes of a file as text.
func everythingIn(t *testing.T, path string) string {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var all strings.Builder
	c := f.cursor(slices.Concat(f.chunks[kindEvents], f.chunks[kindMeasures], f.chunks[kindMarks]))
	defer c.close()
	for r := c.take(); r != nil; r = c.take() {
		fmt.Fprintln(&all, r.event)
		if r.mark != nil {
			fmt.Fprintln(&all, *r.mark)
		}
	}
	info := f.Info()
	fmt.Fprintln(&all, info.missing())
	return all.String()
}

// failing is a file that cannot be read any more from a moment on.
type failing struct {
	io.ReaderAt
	why *error
}

func (f failing) ReadAt(b []byte, at int64) (int, error) {
	if *f.why != nil {
		return 0, *f.why
	}
	return f.ReaderAt.ReadAt(b, at)
}

// A file that is cut, or that its disk does not give any more, while it is read is
// reported with the span, and so is a clock of another age inside it.
func TestAFileThatCannotBeReadAnyMore(t *testing.T) {
	text := slices.Concat(magicLine, slices.Concat(siftPieces(t)...))
	for why, says := range map[error]string{io.EOF: "the file was cut since it was opened", errors.New("input/output error"): "input/output error"} {
		var now error
		f, err := Read(failing{bytes.NewReader(text), &now}, int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		now = why
		if err := f.Load(t.Context(), store.New(time.Now), f.To(), Everything); err != nil {
			t.Fatal(err)
		}
		info := f.Info()
		if said := info.missing(); len(said) == 0 || !strings.Contains(said[0], says) || !strings.Contains(said[0], "from 2026-11-20T14:") {
			t.Errorf("%v: %q", why, said)
		}
		_ = f.Close()
	}
}

func TestAClockOfAnotherAgeInARecording(t *testing.T) {
	for _, year := range []int{9, 1700, 2150, 9999} {
		path := filepath.Join(t.TempDir(), "a.ttrec")
		w, err := Create(path, Options{Now: func() time.Time { return siftBegan }, About: About{Logs: LogsAll}})
		if err != nil {
			t.Fatal(err)
		}
		w.Apply(store.Clock{Now: time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		s := store.New(time.Now)
		if err := f.Load(t.Context(), s, f.To(), Everything); err != nil {
			t.Fatal(err)
		}
		info := f.Info()
		if now := s.Snapshot().Now; !now.Equal(siftBegan) && len(info.Damage) == 0 {
			t.Errorf("the year %d: it is %s, and nothing is said", year, now)
		} else if len(info.Damage) > 0 && !now.Equal(siftBegan) {
			t.Errorf("the year %d: it is %s, and %v", year, now, info.Damage)
		}
		_ = f.Close()
	}
}
