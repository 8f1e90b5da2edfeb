package logfeed

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// sink collects the events of a feed, as a store would.
type sink struct {
	lines   []train.LogLine
	samples []train.Sample
	hits    []train.LogHit
	broken  []train.BrokenLine
	applies int
}

func (g *sink) Apply(events ...store.Event) {
	g.applies++
	for _, e := range events {
		logged := e.(store.Logged)
		for _, line := range logged.Lines {
			if n := len(g.lines); n > 0 && g.lines[n-1].Number == line.Number {
				g.lines[n-1] = line
			} else {
				g.lines = append(g.lines, line)
			}
		}
		g.samples = append(g.samples, logged.Samples...)
		g.hits = append(g.hits, logged.Hits...)
		g.broken = append(g.broken, logged.Broken...)
	}
}

func (g *sink) texts() []string {
	var all []string
	for _, line := range g.lines {
		all = append(all, line.Text)
	}
	return all
}

func (g *sink) losses() []float64 {
	var all []float64
	for i := range g.samples {
		if v, found := g.samples[i].Value(train.MetricLoss); found {
			all = append(all, v)
		}
	}
	return all
}

// read feeds text in pieces of the given size.
func read(o Options, piece int, text string) *sink {
	got := &sink{}
	f := NewFeed(got, train.StreamID{File: "train.log"}, o)
	for p := []byte(text); len(p) > 0; {
		n := min(piece, len(p))
		_, _ = f.Write(p[:n])
		p = p[n:]
	}
	f.End()
	return got
}

var server = Options{Framing: FramingTimestamps}

// docker is a record of Docker's json-file log driver.
func docker(text, output string) string {
	return `{"log":"` + text + `","stream":"` + output + `","time":"2026-11-20T08:50:00.2Z"}` + "\n"
}

// TestManyLinesBetweenTwoParts bounds what is kept until a line ends: it ends where more
// comes between its parts.
func TestManyLinesBetweenTwoParts(t *testing.T) {
	text := docker("long ", "stdout") + strings.Repeat(docker(strings.Repeat("x", 16<<10)+`\n`, "stderr"), 100) + docker(`line\n`, "stdout")
	got := read(Options{}, 1<<20, text).texts()
	if len(got) != 102 || got[0] != "long " || got[101] != "line" || len(got[100]) != 16<<10 {
		t.Errorf("%d lines, the first is %.20q, the last %.20q", len(got), got[0], got[len(got)-1])
	}
}

// TestLines expects the same lines however the bytes are cut into writes.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Options
		text string
		want []string
	}{
		{"plain", Options{}, "one\n\ntwo", []string{"one", "", "two"}},
		{"crlf", Options{}, "one\r\ntwo\r\n", []string{"one", "two"}},
		{"states", Options{}, "\r  0%\r 50%\r100%\ndone\n", []string{"100%", "done"}},
		{"wiped bar", Options{}, "\r 50%|##  |\r            \r\x1b[K\nnext\n", []string{" 50%|##  |", "next"}},
		{"rsyslog", Options{}, " 10%|#015 20%|#015 30%|#033[0m\n", []string{" 30%|\x1b[0m"}},
		{"cat -v", Options{}, "one^M\n 1%|^M 2%|^M^[[31m 3%|\n", []string{"one", "\x1b[31m 3%|"}},
		{"no written returns", Options{}, "sample #0153 of ^Mx\n", []string{"sample #0153 of ^Mx"}},
		{"keras backspaces", Options{}, "1/9 loss: 9\b\b\b\b\b\b\b\b\b\b\b2/9 loss: 8\n", []string{"2/9 loss: 8"}},
		{"spinner", Options{}, "wait -\b/\b|\b done\n", []string{"wait  done"}},
		{"server", server, "2026-11-20T08:50:00.000000001Z a\n2026-11-20T08:50:01Z \nmissing\n", []string{"a", "", "missing"}},
		{"cri", Options{}, "2026-11-20T08:50:00.1Z stdout F a b\n2026-11-20T08:50:00.2Z stderr P long \n2026-11-20T08:50:00.3Z stderr F line\n2026-11-20T08:50:00.4Z stdout F \n", []string{"a b", "long line", ""}},
		{"cri ends in a part", Options{}, "2026-11-20T08:50:00.1Z stdout P half", []string{"half"}},
		{"docker", Options{}, `{"log":"a \u001b[31mred\r\n","stream":"stdout","time":"2026-11-20T08:50:00.1Z"}` + "\n" + `{"log":"hal","stream":"stdout","time":"2026-11-20T08:50:00.2Z"}` + "\n" + `{"log":"ves\n","stream":"stdout","time":"2026-11-20T08:50:00.2Z"}` + "\n", []string{"a \x1b[31mred", "halves"}},
		{"cri, a line of the other output between two parts", Options{}, "2026-11-20T08:50:00.1Z stdout P long \n2026-11-20T08:50:00.2Z stderr F other\n2026-11-20T08:50:00.3Z stdout F line\n", []string{"long line", "other"}},
		{"docker, a line of the other output between two parts", Options{}, docker("long ", "stdout") + docker("other\\n", "stderr") + docker("line\\n", "stdout") + docker("next\\n", "stdout"), []string{"long line", "other", "next"}},
		{"docker, parts of both outputs", Options{}, docker("a", "stdout") + docker("1", "stderr") + docker("b", "stdout") + docker("2\\n", "stderr") + docker("3", "stderr") + docker("c\\n", "stdout") + docker("d\\n", "stdout") + docker("4\\n", "stderr"), []string{"abc", "12", "34", "d"}},
		{"docker, the end between parts", Options{}, docker("a", "stdout") + docker("1\\n", "stderr") + docker("2", "stderr"), []string{"a", "1", "2"}},
		{"docker, written anew with blanks", Options{}, `{"log": "a\n", "stream": "stdout", "time": "2026-11-20T08:50:00.1Z"}` + "\n" + `{ "log" : "b\n", "stream": "stdout"}` + "\n", []string{"a", "b"}},
		{"json that is not docker's", Options{}, `{"log":"a","loss":1}` + "\n", []string{`{"log":"a","loss":1}`}},
		{"kubectl --timestamps", Options{}, "2026-11-20T08:50:00.123456789+01:00 a\n2026-11-20T08:50:01.000000000+01:00 \n", []string{"a", ""}},
		{"a program's own times", Options{}, "2026-11-20T08:50:00.123Z INFO a\nTraceback\n", []string{"2026-11-20T08:50:00.123Z INFO a", "Traceback"}},
	} {
		for _, piece := range []int{1, 3, 7, 64, 1 << 20} {
			if diff := cmp.Diff(c.want, read(c.o, piece, c.text).texts()); diff != "" {
				t.Errorf("%s, %d bytes at a time (-want +got):\n%s", c.name, piece, diff)
			}
		}
	}
}

func TestTimes(t *testing.T) {
	at := time.Date(2026, 11, 20, 8, 50, 0, 123456789, time.UTC)
	for _, text := range []string{
		"2026-11-20T08:50:00.123456789Z stdout F a\n",
		"2026-11-20T09:50:00.123456789+01:00 a\n",
		"2026-11-20T00:20:00.123456789-08:30 a\n",
		`{"log":"a\n","stream":"stdout","time":"2026-11-20T08:50:00.123456789Z"}` + "\n",
	} {
		got := read(Options{}, 1<<20, text)
		if len(got.lines) != 1 || got.lines[0].Text != "a" || !got.lines[0].Time.Equal(at) {
			t.Errorf("%q: got %+v", text, got.lines)
		}
	}
	for _, wrong := range []string{"2026-13-20T08:50:00Z a", "2026-11-20T08:50:00 a", "2026-11-20T08:50:00Zulu", "٢026-11-20T08:50:00Z a"} {
		if got := read(server, 1<<20, wrong+"\n"); !got.lines[0].Time.IsZero() || got.lines[0].Text != wrong {
			t.Errorf("%q: got %+v", wrong, got.lines)
		}
	}
}

// TestOwnTimes reads times as programs print them, in logs that have no other
// times; they stay in the text.
func TestOwnTimes(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	want := time.Date(2026, 11, 20, 13, 33, 33, 86e6, time.UTC)
	for _, text := range []string{
		"2026-11-20 14:33:33,086 - root - INFO - step: 1",
		"[2026-11-20 14:33:33,086] [INFO] [logging.py:96:log_dist] [Rank 0] step=1",
		" [2026/11/20 14:33:33.086] iteration 1",
		"[rank0]:[titan] 2026-11-20 14:33:33,086 - root",
		"\x1b[32m2026-11-20 14:33:33.086\x1b[0m | INFO",
		"INFO 2026-11-20 14:33:33,086 x",
		"WARNING:2026-11-20T14:33:33.086 x",
		"[2026-11-20T13:33:33.086Z] x",
		"(pid 7) 2026-11-20 14:33:33,086",
	} {
		got := read(Options{Zone: berlin}, 1<<20, text+"\nplain\n").lines
		if !got[0].Time.Equal(want) || !got[1].Time.IsZero() {
			t.Errorf("%q: got %v", text, got[0].Time)
		}
	}
	for _, text := range []string{
		"data from 2026-11-20 14:33:33", "checkpoint 2026-11-20 14:33:33", "2026-11-20", "2026-11-20 14:33", "2026-11-20 14:33:331",
		"2026-19-20 14:33:33", "[[[[[[[[2026-11-20 14:33:33", "loss 2026-11-20 14:33:33", "AB 2026-11-20 14:33:33", "12026-11-20 14:33:33",
	} {
		if got := read(Options{}, 1<<20, text+"\n").lines; !got[0].Time.IsZero() {
			t.Errorf("%q: got %v", text, got[0].Time)
		}
	}
}

// TestTimesOfTheProgram: the first line without a time shows that the times
// before it were the program's; from then on times stay in the text.
func TestTimesOfTheProgram(t *testing.T) {
	got := &sink{}
	f := NewFeed(got, train.StreamID{}, Options{})
	fmt.Fprintf(f, "2026-11-20T08:50:00.123456789Z a\n")
	fmt.Fprintf(f, "Traceback\n")
	fmt.Fprintf(f, "2026-11-20T08:50:02.123456789Z b\n")
	if diff := cmp.Diff([]string{"a", "Traceback", "2026-11-20T08:50:02.123456789Z b"}, got.texts()); diff != "" {
		t.Error(diff)
	}
	if got.lines[2].Time.IsZero() {
		t.Error("the program's own time is not read")
	}
}

// TestNewestState: a line that is not complete is sent, and replaced later.
func TestNewestState(t *testing.T) {
	got := &sink{}
	f := NewFeed(got, train.StreamID{}, Options{Framing: FramingTimestamps, From: 41})
	for i, piece := range []string{"2026-11-20T08:50:00Z first\n2026-11-20T08:50:01Z ", "50", "%", "\r", "\r 99% \xe2\x96", "\x88", "\n"} {
		_, _ = f.Write([]byte(piece))
		want := []string{"", "50", "50%", "50%", " 99% ", " 99% █", " 99% █"}[i]
		if last := got.lines[len(got.lines)-1]; i > 0 && (last.Text != want || last.Number != 43) {
			t.Errorf("after %q: line %d is %q, want %q", piece, last.Number, last.Text, want)
		}
		if i < 6 && f.Lines() != 42 {
			t.Errorf("after %q: %d lines are complete", piece, f.Lines())
		}
	}
	if f.Lines() != 43 || f.Newest() != time.Date(2026, 11, 20, 8, 50, 1, 0, time.UTC) {
		t.Errorf("at the end: %d lines, newest %v", f.Lines(), f.Newest())
	}
}

func TestAccept(t *testing.T) {
	last := time.Date(2026, 11, 20, 8, 50, 1, 0, time.UTC)
	o := server
	o.From = 7
	o.Accept = func(at time.Time) bool { return at.After(last) }
	got := read(o, 5, "2026-11-20T08:50:00Z step: 1 loss: 9.5\n2026-11-20T08:50:01Z step: 2 loss: 8.5\r\n2026-11-20T08:50:02Z step: 3 loss: 7.5\n")
	if len(got.lines) != 1 || got.lines[0].Number != 8 || got.lines[0].Text != "step: 3 loss: 7.5" {
		t.Errorf("got %+v", got.lines)
	}
	for _, s := range got.samples {
		if s.Line != 8 {
			t.Errorf("a line that was not wanted was parsed: %+v", s)
		}
	}
}

// TestStrayTimes: times that an old kubelet put inside a long line are removed,
// whatever the runtime's part size; a time that the program printed there stays.
func TestStrayTimes(t *testing.T) {
	const at = "2026-11-20T08:50:00.123456789Z "
	for _, part := range []int{4 << 10, 8 << 10, 16 << 10} {
		long := strings.Repeat("x", part)
		framed := at + long + at + long + at + "loss " + at + "end\n" + at + "next\n"
		for _, piece := range []int{1, 100, 5000, 1 << 20} {
			got := read(server, piece, framed).texts()
			if want := []string{long + long + "loss " + at + "end", "next"}; !cmp.Equal(got, want) {
				t.Errorf("parts of %d, writes of %d: %d lines, first of %d bytes, want %d", part, piece, len(got), len(got[0]), len(want[0]))
			}
		}
	}
}

func TestLongLine(t *testing.T) {
	got := &sink{}
	f := NewFeed(got, train.StreamID{}, Options{})
	chunk := bytes.Repeat([]byte("0123456789abcdef"), 4<<10)
	for range 100 << 20 / len(chunk) {
		_, _ = f.Write(chunk)
		got.lines = got.lines[:1]
	}
	_, _ = f.Write([]byte("\nnext\n"))
	line := got.lines[0]
	if line.Cut != 100<<20-MaxLine || !strings.HasSuffix(line.Text, "f [cut: 104792064 more bytes]") || len(line.Text) > MaxLine+64 {
		t.Errorf("cut %d, %d bytes, ends %q", line.Cut, len(line.Text), line.Text[len(line.Text)-40:])
	}
	if next := got.lines[1]; next.Text != "next" || next.Number != 2 || next.Cut != 0 {
		t.Errorf("then %+v", next)
	}
	if cap(f.line.state.text)+cap(f.line.last.text)+cap(f.head)+cap(f.out.text) > 512<<10 {
		t.Error("the feed still holds the room of the long line")
	}
}

// TestBarInOneLongLine: every state of a very long line is parsed.
func TestBarInOneLongLine(t *testing.T) {
	var text strings.Builder
	const states = 20000
	for i := 1; i <= states; i++ {
		fmt.Fprintf(&text, "\rEpoch 0: %3d%%|##   | %d/%d [00:17<01:02,  4.47it/s, loss=%d.5]", i*100/states, i, states, i)
	}
	got := read(Options{}, 32<<10, text.String()+"\n")
	if len(got.lines) != 1 || !strings.HasSuffix(got.lines[0].Text, "loss=20000.5]") || got.lines[0].Cut != 0 {
		t.Errorf("got %d lines, cut %d", len(got.lines), got.lines[0].Cut)
	}
	losses := got.losses()
	if len(losses) < states-1 || losses[0] != 1.5 || losses[len(losses)-1] != states+0.5 {
		t.Errorf("%d of %d states were read", len(losses), states)
	}
}

func TestOneApplyEachWrite(t *testing.T) {
	got := &sink{}
	f := NewFeed(got, train.StreamID{}, Options{})
	_, _ = f.Write([]byte(strings.Repeat("a line\n", 1000) + "more"))
	if got.applies != 1 || len(got.lines) != 1001 {
		t.Errorf("%d applies, %d lines", got.applies, len(got.lines))
	}
}

func TestBinary(t *testing.T) {
	data := make([]byte, 1<<20)
	for i := range data {
		data[i] = byte(i * i >> 3)
	}
	for _, line := range read(Options{}, 4000, string(data)).lines {
		if err := safe(line.Text); err != nil {
			t.Fatal(err)
		}
	}
}

// With LinesOnly a feed gives all lines and does no other work.
func TestLinesOnly(t *testing.T) {
	text := "step 1 loss 2.5\nRuntimeError: CUDA error: out of memory\n 10%\r 20%\nend"
	whole, only := read(Options{}, 7, text), read(Options{LinesOnly: true}, 7, text)
	if !slices.Equal(only.texts(), whole.texts()) || len(only.texts()) != 4 {
		t.Errorf("lines are %q, want %q", only.texts(), whole.texts())
	}
	if len(only.samples) > 0 || len(only.hits) > 0 || len(whole.samples) == 0 || len(whole.hits) == 0 {
		t.Errorf("%d samples and %d hits come with the lines", len(only.samples), len(only.hits))
	}
}
