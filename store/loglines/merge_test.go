package loglines

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// logOf returns a log with lines at these seconds; a negative one has no time.
func logOf(limit int, seconds ...int) *Ring {
	r := New(limit)
	for i, s := range seconds {
		line := train.LogLine{Number: int64(i + 1), Text: fmt.Sprint("line ", i)}
		if s >= 0 {
			line.Time = time.Unix(int64(s), 0).UTC()
		}
		r.Append(line)
	}
	return r
}

func linesAt(seconds ...int) *Lines {
	lines := logOf(1<<16, seconds...).Lines()
	return &lines
}

func ordersOf(l *Lines) []int64 {
	all := make([]int64, l.Len())
	for i := range all {
		if all[i] = l.Order(i); all[i] != Unordered {
			all[i] /= int64(time.Second)
		}
	}
	return all
}

func TestOrderNeverGoesBack(t *testing.T) {
	lines := logOf(1<<20, -1, 5, -1, 3, 9, -1, 7).Lines()
	if got, want := ordersOf(&lines), []int64{Unordered, 5, 5, 5, 9, 9, 9}; !slices.Equal(got, want) {
		t.Errorf("ordered by %v, want %v", got, want)
	}
	for order, want := range map[int]int{4: 1, 5: 1, 6: 4, 9: 4, 10: 7} {
		if got := lines.FindOrder(OrderAt(time.Unix(int64(order), 0))); got != want {
			t.Errorf("order %d begins at %d, want %d", order, got, want)
		}
	}
}

// Small chunks, dropped lines and redrawn ones: the order equals the one
// computed from all lines that were ever appended.
func TestOrderOverChunks(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	ring, all := New(4000), []int64{Unordered}
	for n := int64(1); n <= 2000; n++ {
		line := train.LogLine{Number: n, Text: "some text"}
		if at := int64(random.IntN(20)); at > 5 {
			line.Time = time.Unix(n+at, 0)
		}
		all = append(all, OrderAfter(all[n-1], line.Time))
		ring.Append(line)
		if n%97 != 0 {
			continue
		}
		lines := ring.Lines()
		for i := range lines.Len() {
			number := lines.At(i).Number
			if lines.Order(i) != all[number] {
				t.Fatalf("line %d of %d is ordered by %d, want %d", number, n, lines.Order(i), all[number])
			}
			found := lines.FindOrder(all[number])
			if lines.Order(found) != all[number] || found > 0 && lines.Order(found-1) == all[number] {
				t.Fatalf("line %d of %d: found %d by its order, which is not the first", number, n, found)
			}
		}
	}
}

type log struct{ Cursor }

// walked walks over logs and returns the log and line of each step.
func walked(logs []Lines, back bool) (all [][2]int) {
	var cursors []*log
	for i := range logs {
		one := &log{Cursor{Lines: &logs[i], Place: i}}
		if back {
			one.At = logs[i].Len()
		}
		cursors = append(cursors, one)
	}
	walk := NewWalk(cursors, back)
	for {
		one, at, _, any := walk.Take()
		if !any {
			return all
		}
		all = append(all, [2]int{one.Place, at})
	}
}

// Forward is the order by Order, place and line; back is its reverse.
func TestWalksGoInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var logs []Lines
		var want [][2]int
		for place := range 1 + random.IntN(6) {
			var seconds []int
			for range random.IntN(30) {
				seconds = append(seconds, random.IntN(12)-2)
			}
			logs = append(logs, logOf(1<<16, seconds...).Lines())
			for i := range seconds {
				want = append(want, [2]int{place, i})
			}
		}
		slices.SortStableFunc(want, func(a, b [2]int) int {
			return cmp.Or(cmp.Compare(logs[a[0]].Order(a[1]), logs[b[0]].Order(b[1])), cmp.Compare(a[0], b[0]))
		})
		if got := walked(logs, false); !slices.Equal(got, want) {
			t.Fatalf("on: %v\nwant %v", got, want)
		}
		got := walked(logs, true)
		if slices.Reverse(got); !slices.Equal(got, want) {
			t.Fatalf("back, turned round: %v\nwant %v", got, want)
		}
	}
}

// A walk that turns back in the middle visits the same lines.
func TestWalkTurnsBack(t *testing.T) {
	logs := []*log{{Cursor{Lines: linesAt(1, 5, 2, 8)}}, {Cursor{Lines: linesAt(3, -1, 6), Place: 1}}}
	var on, back []string
	walk := NewWalk(logs, false)
	for range 5 {
		one, at, _, _ := walk.Take()
		on = append(on, fmt.Sprint(one.Place, at))
	}
	for walk = NewWalk(logs, true); ; {
		one, at, _, any := walk.Take()
		if !any {
			break
		}
		back = append(back, fmt.Sprint(one.Place, at))
	}
	if slices.Reverse(back); !slices.Equal(on, back) {
		t.Errorf("on %v, back %v", on, back)
	}
}

// BenchmarkWalk walks over the newest lines of 64 logs, as a screen does.
func BenchmarkWalk(b *testing.B) {
	var logs []*log
	for place := range 64 {
		r := New(1 << 30)
		for i := range 20_000 {
			r.Append(train.LogLine{Number: int64(i + 1), Time: time.Unix(int64(i), 0), Text: "step 1200 loss 2.31"})
		}
		lines := r.Lines()
		logs = append(logs, &log{Cursor{Lines: &lines, Place: place}})
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, one := range logs {
			one.At = one.Lines.Len()
		}
		walk := NewWalk(logs, true)
		for range 1000 {
			walk.Take()
		}
	}
}
