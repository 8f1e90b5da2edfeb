package history

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/train"
)

var start = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func after(seconds float64) time.Time {
	return start.Add(time.Duration(seconds * float64(time.Second)))
}

func row(values ...float64) *Row {
	r := &Row{}
	for column, value := range values {
		r.Set(column, value)
	}
	return r
}

// line formats a column as "seconds=value".
func line(p Past, column int) string {
	text := ""
	p.Each(column, time.Time{}, func(at time.Time, value float32) bool {
		text += fmt.Sprintf("%g=%g ", at.Sub(start).Seconds(), value)
		return true
	})
	return text
}

func TestShort(t *testing.T) {
	for n := range 2049 {
		if got := shorten(float64(n)).value(); got != float32(n) {
			t.Fatalf("%d comes back as %g", n, got)
		}
	}
	for range 100_000 {
		value := math.Exp2(rand.Float64()*62 - 14)
		if got := float64(shorten(value).value()); math.Abs(got-value) > value/2048 {
			t.Fatalf("%g comes back as %g", value, got)
		}
	}
	for _, value := range []float64{math.NaN(), -1, math.Inf(-1)} {
		if shorten(value) != unknown {
			t.Errorf("%g is known", value)
		}
	}
	for _, value := range []float64{math.Inf(1), 1e300, math.MaxFloat64} {
		if got := shorten(value).value(); got < 1e14 || math.IsNaN(float64(got)) {
			t.Errorf("%g comes back as %g, not as the largest", value, got)
		}
	}
	if got := shorten(1e-9).value(); got != 0 {
		t.Errorf("next to nothing comes back as %g", got)
	}
}

func TestRowsThatDoNotFollow(t *testing.T) {
	var r Ring
	try := func(seconds float64, values *Row, want bool) {
		t.Helper()
		if got := r.Append(after(seconds), values, 10*time.Second); got != want {
			t.Errorf("a row at %g s is taken: %t", seconds, got)
		}
	}
	try(0, row(97, 60), true)
	try(0, row(98), false)
	try(-5, row(98), false)
	try(9.9, row(98), false)
	try(10, row(98, math.NaN()), true)
	try(30, row(math.NaN(), -3), false)
	try(30.5, row(math.NaN(), 61, 0.25), true)
	for column, want := range []string{"0=97 10=98 ", "0=60 30.5=61 ", "30.5=0.25 ", ""} {
		if got := line(r.Past(), column); got != want {
			t.Errorf("column %d is %s, want %s", column, got, want)
		}
	}
	if n := r.Past().Len(); n != 3 {
		t.Errorf("%d rows", n)
	}
}

// A ring holds an hour and little more, whatever is added.
func TestARingIsBounded(t *testing.T) {
	var r Ring
	for i := range 100_000 {
		r.Append(after(float64(i)), row(1, 2, 3, 4, 5, 6, 7, 8), 7500*time.Millisecond)
	}
	p := r.Past()
	if span := p.Newest().Sub(p.Oldest()); span < Span || span > Span+chunkRows*8*time.Second {
		t.Errorf("it reaches back %s", span)
	}
	if n := p.Len(); n > 500 {
		t.Errorf("%d rows", n)
	}
	if n := r.Bytes(); n > 11_000 {
		t.Errorf("%d bytes", n)
	}
}

// The hour of one GPU at 15 s with seven quantities.
func TestBytesOfAnHour(t *testing.T) {
	var r Ring
	for i := range 1000 {
		r.Append(after(float64(i*15)), row(97, 71234, 66, 633, 1980, 0.42, 0.71), 7500*time.Millisecond)
	}
	if n := r.Bytes(); n > 5000 {
		t.Errorf("%d bytes", n)
	}
}

func TestAPastNeverChanges(t *testing.T) {
	var r Ring
	var wait sync.WaitGroup
	for i := range 200 {
		r.Append(after(float64(15*i)), row(float64(i), 2), 0)
		if i%7 == 0 {
			r.Fill(after(float64(15*i)), 15*time.Second, Points{Column: 2, Points: []train.Point{{At: after(float64(15*i) - 1800), Value: 5}}})
		}
		p := r.Past()
		want := line(p, 0)
		wait.Go(func() {
			for range 3 {
				if got := line(p, 0); got != want {
					t.Errorf("it was %s and is %s", want, got)
					return
				}
			}
		})
	}
	wait.Wait()
}

func TestFill(t *testing.T) {
	points := func(column int, pairs ...float64) Points {
		p := Points{Column: column}
		for i := 0; i < len(pairs); i += 2 {
			p.Points = append(p.Points, train.Point{At: after(pairs[i]), Value: pairs[i+1]})
		}
		return p
	}
	var r Ring
	now := after(3600)
	r.Append(after(3570), row(50, 60), 0)
	r.Append(after(3585), row(51, 61), 0)
	r.Fill(now, 15*time.Second,
		points(0, -60, 9, 0, 1, 60, 2, 120, 3, 3560, 8, 3590, 8, 3700, 7), // too old, fine, fine, fine, known, known, in the future
		points(1, 120, 22, 60, 21, 62, 99, 123, 99),                       // not in order, some twice
		points(3, 64, 4, 70, math.NaN()),                                  // joins the row beside it; not a number
	)
	for column, want := range map[int]string{0: "0=1 60=2 120=3 3570=50 3585=51 ", 1: "60=21 120=22 3570=60 3585=61 ", 3: "60=4 "} {
		if got := line(r.Past(), column); got != want {
			t.Errorf("column %d is %s, want %s", column, got, want)
		}
	}
	before := r.Past()
	r.Fill(now, 15*time.Second, points(0, 60, 5))
	if diff := cmp.Diff(line(before, 0), line(r.Past(), 0)); diff != "" {
		t.Errorf("what is known came twice: %s", diff)
	}
	if !r.Append(after(3600), row(52), 10*time.Second) || line(r.Past(), 0) != line(before, 0)+"3600=52 " {
		t.Errorf("it does not go on: %s", line(r.Past(), 0))
	}
	r.Fill(now, 15*time.Second, points(0, 1800, 30)) // a hole in the middle
	if got, want := line(r.Past(), 0), "0=1 60=2 120=3 1800=30 3570=50 3585=51 3600=52 "; got != want {
		t.Errorf("it is %s, want %s", got, want)
	}
}

func TestThin(t *testing.T) {
	var r Ring
	for i := range 240 {
		r.Append(after(float64(i*15)), row(float64(i)), 0)
	}
	r.Thin(time.Minute)
	if n, got := r.Past().Len(), line(r.Past(), 0)[:25]; n != 60 || got != "0=0 60=4 120=8 180=12 240" {
		t.Errorf("%d rows: %s", n, got)
	}
}

// Whatever rows are added, a ring returns the same as a list.
func TestARingIsAList(t *testing.T) {
	type number struct {
		at    time.Time
		value float32
	}
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 1))
		var r Ring
		lists := make([][]number, Columns)
		at := start
		for range 500 {
			at = at.Add(time.Duration(random.IntN(200)) * 100 * time.Millisecond)
			var one Row
			var values [Columns]float64
			for column := range Columns {
				values[column] = math.NaN()
				if random.IntN(4) == 0 {
					values[column] = float64(random.IntN(2000))
				}
				one.Set(column, values[column])
			}
			if r.Append(at, &one, time.Second) {
				for column, value := range values {
					if !math.IsNaN(value) {
						lists[column] = append(lists[column], number{at, float32(value)})
					}
				}
			}
		}
		from := r.Past().Oldest()
		for column, want := range lists {
			want = slices.DeleteFunc(want, func(n number) bool { return n.at.Before(from) })
			var got []number
			r.Past().Each(column, from, func(at time.Time, value float32) bool {
				got = append(got, number{at, value})
				return true
			})
			if !slices.EqualFunc(got, want, func(a, b number) bool { return a.at.Equal(b.at) && a.value == b.value }) {
				t.Fatalf("seed %d, column %d: %v, want %v", seed, column, got, want)
			}
		}
	}
}

func TestMeans(t *testing.T) {
	var r Ring
	for i, value := range []float64{10, 20, 30, 40, 50} {
		r.Append(after(float64(i*15)), row(value), 0)
	}
	out := make([]float32, 4)
	r.Past().Means(0, after(-30), 30*time.Second, out)
	if got := fmt.Sprint(out); got != "[NaN 15 35 50]" {
		t.Errorf("means are %s", got)
	}
	if n := testing.AllocsPerRun(10, func() { r.Past().Means(0, start, time.Minute, out) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkAppend(b *testing.B) {
	var r Ring
	one := row(97, 71234, 66, 633, 1980, 0.42, 0.71)
	at := start
	b.ReportAllocs()
	for b.Loop() {
		at = at.Add(15 * time.Second)
		r.Append(at, one, 10*time.Second)
	}
}

// Half an hour in 30 bars.
func BenchmarkMeans(b *testing.B) {
	var r Ring
	for i := range 240 {
		r.Append(after(float64(i*15)), row(97, 71234, 66, 633, 1980, 0.42, 0.71), 0)
	}
	out := make([]float32, 30)
	b.ReportAllocs()
	for b.Loop() {
		r.Past().Means(3, after(1800), time.Minute, out)
	}
}

func BenchmarkFillAnHour(b *testing.B) {
	var more []Points
	for column := range 7 {
		p := Points{Column: column}
		for i := range 60 {
			p.Points = append(p.Points, train.Point{At: after(float64(60 * i)), Value: float64(i)})
		}
		more = append(more, p)
	}
	b.ReportAllocs()
	for b.Loop() {
		var r Ring
		r.Append(after(3600), row(1, 2, 3, 4, 5, 6, 7), 0)
		r.Fill(after(3600), 10*time.Second, more...)
	}
}
