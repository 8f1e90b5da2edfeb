package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/traintop/traintop/cli/mergedlogs"
	"github.com/traintop/traintop/train"
)

// merging is a merge whose output is kept.
type merging struct {
	*mergedlogs.Merge
	mu    sync.Mutex
	lines []string
}

func merged(w *logsWanted) *merging {
	m := &merging{}
	m.Merge = mergedlogs.New(&w.filter, w.heldFor(), time.Now, func(from mergedlogs.LogSource, line *train.LogLine) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.lines = append(m.lines, from.Name+" "+line.Text)
	})
	return m
}

func (m *merging) printed() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.lines)
}

func of(rank int) train.StreamID { return train.StreamID{Pod: fmt.Sprint("w", rank)} }

func (m *merging) rank(n int) train.StreamID {
	m.Open(of(n), mergedlogs.LogSource{Name: fmt.Sprint(n), Colour: n, RankIndex: n})
	m.State(of(n), false, true, false)
	return of(n)
}

func noFlush() error { return nil }

// TestExactMerge adds logs in pieces of any size, from goroutines of their own:
// the output is in order of time, and whole.
func TestExactMerge(t *testing.T) {
	const ranks, lines = 20, 5000
	m := merged(&logsWanted{})
	start := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	var giving sync.WaitGroup
	for rank := range ranks {
		id := m.rank(rank)
		giving.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(rank)))
			at := start
			for n := int64(1); n <= lines; {
				var batch []train.LogLine
				for range 1 + random.IntN(100) {
					if n > lines {
						break
					}
					at = at.Add(time.Duration(random.IntN(1000)) * time.Microsecond)
					batch = append(batch, train.LogLine{Number: n, Time: at, Text: at.Format(stampFormat)})
					n++
				}
				m.Add(id, batch, false)
			}
			m.State(id, false, false, true)
		})
	}
	m.Seal()
	if err := m.Run(t.Context(), noFlush); err != nil {
		t.Fatal(err)
	}
	giving.Wait()
	if len(m.lines) != ranks*lines {
		t.Fatalf("%d lines came out, want %d", len(m.lines), ranks*lines)
	}
	byTime := func(a, b string) int { return strings.Compare(a[strings.Index(a, " "):], b[strings.Index(b, " "):]) }
	if !slices.IsSortedFunc(m.lines, byTime) {
		t.Error("the lines are not in the order of time")
	}
}

// TestExactMergeWaits: a log that is far ahead is not read further while
// another has no line, and nothing of it is printed.
func TestExactMergeWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := merged(&logsWanted{})
		ahead, behind := m.rank(0), m.rank(1)
		m.Seal()
		given := 0
		go func() {
			for n := int64(1); n <= 100; n++ {
				m.Add(ahead, []train.LogLine{{Number: n, Time: time.Now(), Text: strings.Repeat("x", 64<<10)}}, true)
				given++
			}
			m.State(ahead, false, false, true)
		}()
		done := make(chan error)
		go func() { done <- m.Run(t.Context(), noFlush) }()
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(m.printed()) != 0 || given > 20 || given == 0 {
			t.Errorf("%d lines were printed and %d taken", len(m.printed()), given)
		}
		m.Add(behind, []train.LogLine{{Number: 1, Time: time.Now().Add(-2 * time.Hour), Text: "first"}}, true)
		m.State(behind, false, false, true)
		if err := <-done; err != nil || len(m.printed()) != 101 || m.printed()[0] != "1 first" {
			t.Errorf("%v: %d lines", err, len(m.printed()))
		}
	})
}

func TestMergeEndsWithItsReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := merged(&logsWanted{})
		ahead := m.rank(0)
		m.rank(1)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { // blocks on its full queue until nobody reads any more
			for n := int64(1); n <= 100; n++ {
				m.Add(ahead, []train.LogLine{{Number: n, Text: strings.Repeat("x", 64<<10)}}, true)
			}
		}()
		go func() { time.Sleep(time.Second); cancel() }()
		if err := m.Run(ctx, noFlush); err == nil {
			t.Error("it ends well, though it was interrupted")
		}
	})
}

// TestWindow: lines that arrive within the window are sorted; later ones are
// printed as they arrive, and nothing waits longer than two windows.
func TestWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := merged(&logsWanted{follow: true, window: 500 * time.Millisecond})
		a, b := m.rank(0), m.rank(1)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- m.Run(ctx, noFlush) }()
		now := time.Now()
		m.Add(a, []train.LogLine{{Number: 1, Time: now.Add(100 * time.Millisecond), Text: "second"}}, true)
		time.Sleep(200 * time.Millisecond)
		m.Add(b, []train.LogLine{{Number: 1, Time: now, Text: "first"}}, true)
		time.Sleep(2 * time.Second)
		if got := m.printed(); !slices.Equal(got, []string{"1 first", "0 second"}) {
			t.Errorf("printed %q", got)
		}
		// A newest line that is redrawn is printed in its last form.
		m.Add(a, []train.LogLine{{Number: 2, Text: " 10%"}}, true)
		time.Sleep(300 * time.Millisecond)
		m.Add(a, []train.LogLine{{Number: 2, Text: "100%"}}, true)
		time.Sleep(2 * time.Second)
		if got := m.printed(); len(got) != 3 || got[2] != "0 100%" {
			t.Errorf("printed %q", got)
		}
		// A line that is known to be open waits for its rest, however long.
		m.State(b, false, false, false)
		m.Add(b, []train.LogLine{{Number: 2, Text: "half of"}}, true)
		time.Sleep(time.Minute)
		if got := m.printed(); len(got) != 3 {
			t.Errorf("half a line was printed: %q", got)
		}
		m.Add(b, []train.LogLine{{Number: 2, Text: "half of a line"}, {Number: 3, Text: "next"}}, true)
		m.State(b, false, true, false)
		time.Sleep(2 * time.Second)
		if got := m.printed(); !slices.Equal(got[3:], []string{"1 half of a line", "1 next"}) {
			t.Errorf("printed %q", got)
		}
		// Older lines that keep coming do not hold back a new one for ever.
		m.Add(a, []train.LogLine{{Number: 3, Time: now.Add(time.Hour), Text: "waits"}, {Number: 4, Time: now.Add(time.Hour), Text: ""}}, true)
		begin := len(m.printed())
		for n := range int64(20) {
			m.Add(b, []train.LogLine{{Number: 4 + n, Time: now, Text: "old"}}, true)
			time.Sleep(100 * time.Millisecond)
		}
		at := slices.Index(m.printed()[begin:], "0 waits")
		if at < 0 || at > 15 {
			t.Errorf("the line stands at %d of %q", at, m.printed()[begin:])
		}
		cancel()
		<-done
		if got := len(m.printed()); got != begin+22 {
			t.Errorf("%d lines were printed in the end, want all %d", got, begin+22)
		}
	})
}

// Of a line that grows after it was printed only the rest is printed; one that
// is redrawn is printed whole.
func TestAPrintedLineThatGrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := merged(&logsWanted{follow: true, window: 500 * time.Millisecond})
		id := m.rank(0)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- m.Run(ctx, noFlush) }()
		for _, line := range []train.LogLine{{Number: 1, Text: "loss"}, {Number: 1, Text: "loss: 2.5"}, {Number: 2, Text: " 10%"}, {Number: 2, Text: " 20%"}, {Number: 2, Text: " 20%"}} {
			m.Add(id, []train.LogLine{line}, true)
			time.Sleep(2 * time.Second)
		}
		m.Add(id, []train.LogLine{{Number: 2, Text: " 20% done"}, {Number: 3, Text: "end"}}, false)
		time.Sleep(2 * time.Second)
		cancel()
		<-done
		if got, want := m.printed(), []string{"0 loss", "0 : 2.5", "0  10%", "0  20%", "0  done", "0 end"}; !slices.Equal(got, want) {
			t.Errorf("printed %q, want %q", got, want)
		}
	})
}

// A bar that is redrawn without a rest is printed from time to time.
func TestALineThatIsRedrawnOnAndOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := merged(&logsWanted{follow: true, window: 500 * time.Millisecond})
		id := m.rank(0)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- m.Run(ctx, noFlush) }()
		for i := range 200 {
			m.Add(id, []train.LogLine{{Number: 1, Text: fmt.Sprintf("%3d%%|", i)}}, true)
			time.Sleep(300 * time.Millisecond)
		}
		if n := len(m.printed()); n < 4 || n > 7 {
			t.Errorf("in a minute %d lines were printed: %q", n, m.printed())
		}
		cancel()
		<-done
	})
}

// A line that is cut and grows counts once.
func TestACutLineThatGrowsCountsOnce(t *testing.T) {
	var messages bytes.Buffer
	out := newLogPrinter(io.Discard, &messages, logLook{})
	for _, cut := range []int{10, 20} {
		out.line(mergedlogs.LogSource{Name: "0"}, &train.LogLine{Number: 7, Text: "x", Cut: cut})
	}
	if _ = out.end(); !strings.Contains(messages.String(), "were cut: 1; bytes of them that are not shown: 30") {
		t.Errorf("it says %q", messages.String())
	}
}

// A filter matches a line that grows as a whole.
func TestAFilteredLineThatGrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		filter, err := mergedlogs.NewLineFilter([]string{"loss: 2"}, nil, 1, false)
		if err != nil {
			t.Fatal(err)
		}
		m := merged(&logsWanted{follow: true, window: 500 * time.Millisecond, filter: filter})
		id := m.rank(0)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- m.Run(ctx, noFlush) }()
		m.Add(id, []train.LogLine{{Number: 1, Text: "step 1"}, {Number: 2, Text: "step 2, lo"}}, true)
		time.Sleep(2 * time.Second)
		m.Add(id, []train.LogLine{{Number: 2, Text: "step 2, loss: 2.5"}}, false)
		time.Sleep(2 * time.Second)
		cancel()
		<-done
		if got, want := m.printed(), []string{"0 step 1", "0 step 2, loss: 2.5"}; !slices.Equal(got, want) {
			t.Errorf("printed %q, want %q", got, want)
		}
	})
}

func TestHeldIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := merged(&logsWanted{follow: true, window: time.Minute})
		id := m.rank(0)
		go m.Run(t.Context(), noFlush)
		for n := range int64(3000) {
			m.Add(id, []train.LogLine{{Number: n + 1, Time: time.Now(), Text: strings.Repeat("x", 64<<10)}}, true)
		}
		synctest.Wait()
		m.Merge.Mu.Lock()
		defer m.Merge.Mu.Unlock()
		if m.Held > mergedlogs.HeldBytes+(128<<10) || m.Hurried == 0 {
			t.Errorf("%d MiB are held, %d lines were hurried", m.Held>>20, m.Hurried)
		}
	})
}

func TestNoTimesKeepsLogsWhole(t *testing.T) {
	m := merged(&logsWanted{})
	for _, rank := range []int{1, 0} {
		id := m.rank(rank)
		m.Add(id, []train.LogLine{{Number: 1, Text: "a"}, {Number: 2, Text: "b"}}, true)
		m.State(id, false, false, true)
	}
	m.Seal()
	if err := m.Run(t.Context(), noFlush); err != nil || !slices.Equal(m.lines, []string{"0 a", "0 b", "1 a", "1 b"}) {
		t.Errorf("%v: %q", err, m.lines)
	}
}

// BenchmarkMerge is the merging of 64 logs of lines of usual length.
func BenchmarkMerge(b *testing.B) {
	const ranks, batch = 64, 128
	text := strings.Repeat("x", 100)
	m := mergedlogs.New(&mergedlogs.LineFilter{}, 0, time.Now, func(mergedlogs.LogSource, *train.LogLine) {})
	start := time.Unix(0, 0)
	var giving sync.WaitGroup
	for rank := range ranks {
		m.Open(of(rank), mergedlogs.LogSource{Colour: rank, RankIndex: rank})
	}
	m.Seal()
	b.ReportAllocs()
	for rank := range ranks {
		giving.Go(func() {
			lines := make([]train.LogLine, batch)
			for n := 0; n < b.N/ranks+1; n += batch {
				for i := range lines {
					lines[i] = train.LogLine{Number: int64(n + i + 1), Time: start.Add(time.Duration(n+i) * time.Millisecond), Text: text}
				}
				m.Add(of(rank), lines, true)
			}
			m.State(of(rank), false, false, true)
		})
	}
	if err := m.Run(b.Context(), noFlush); err != nil {
		b.Fatal(err)
	}
	giving.Wait()
}
