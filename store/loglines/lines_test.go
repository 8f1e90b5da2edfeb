package loglines

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

var begin = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

func line(number int64, text string) train.LogLine {
	return train.LogLine{Number: number, Text: text, Time: begin.Add(time.Duration(number) * time.Second)}
}

func texts(l Lines) (all []string) {
	for i := range l.Len() {
		all = append(all, l.At(i).Text)
	}
	return all
}

func wantTexts(t *testing.T, l Lines, want ...string) {
	t.Helper()
	if got := texts(l); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("lines are %q, want %q", got, want)
	}
}

func TestLinesComeBackAsTheyWere(t *testing.T) {
	r := New(1 << 20)
	want := []train.LogLine{
		{Number: 1, Text: "first", Time: begin},
		{Number: 2, Text: ""},
		{Number: 7, Text: "a gap before it", Time: begin.Add(time.Nanosecond), Cut: 12},
		{Number: 1 << 40, Text: "far away", Cut: 1},
	}
	r.Append(want...)
	lines := r.Lines()
	if lines.Len() != len(want) {
		t.Fatalf("%d lines, want %d", lines.Len(), len(want))
	}
	for i := range want {
		if got := lines.At(i); got != want[i] {
			t.Errorf("line %d is %+v, want %+v", i, got, want[i])
		}
		if got := lines.Time(i); got != want[i].Time {
			t.Errorf("line %d was printed at %s, want %s", i, got, want[i].Time)
		}
	}
}

func TestTheNewestLineMayBeRedrawn(t *testing.T) {
	r := New(1 << 20)
	r.Append(line(1, "a"), line(2, " 10%"))
	before := r.Lines()
	r.Append(line(2, " 20%"), line(2, "100% done"))
	wantTexts(t, before, "a", " 10%")
	wantTexts(t, r.Lines(), "a", "100% done")
	r.Append(line(3, "b"), line(1, "told before"), line(2, "told before"))
	wantTexts(t, r.Lines(), "a", "100% done", "b")
}

func TestPicturesNeverChange(t *testing.T) {
	r := New(4 << 10)
	random := rand.New(rand.NewPCG(1, 2))
	type picture struct {
		lines Lines
		want  string
	}
	var pictures []picture
	for number := int64(1); number < 3000; number++ {
		r.Append(line(number, fmt.Sprint("line ", number)))
		if random.IntN(3) == 0 {
			r.Append(line(number, fmt.Sprint("line again ", number)))
		}
		if random.IntN(50) == 0 {
			l := r.Lines()
			pictures = append(pictures, picture{l, fmt.Sprint(texts(l))})
		}
	}
	for _, p := range pictures {
		if got := fmt.Sprint(texts(p.lines)); got != p.want {
			t.Fatalf("a picture changed from %.80s to %.80s", p.want, got)
		}
	}
}

func TestOldLinesGoAndAreCounted(t *testing.T) {
	f := func(limit, lines, textBytes int) {
		t.Helper()
		r := New(limit)
		text := fmt.Sprintf("%0*d", textBytes, 0)
		for i := range lines {
			r.Append(line(int64(i+1), text))
			if r.Bytes() > limit && r.Lines().Len() > 1 {
				t.Fatalf("limit %d: %d bytes in %d lines", limit, r.Bytes(), r.Lines().Len())
			}
		}
		l := r.Lines()
		dropped, bytes := l.Dropped()
		if int(dropped)+l.Len() != lines || bytes != dropped*int64(textBytes) {
			t.Errorf("limit %d: %d lines kept and %d (%d bytes) dropped of %d", limit, l.Len(), dropped, bytes, lines)
		}
		if got := l.At(l.Len() - 1).Number; got != int64(lines) {
			t.Errorf("limit %d: the newest line is %d, want %d", limit, got, lines)
		}
		if want := limit * 3 / 4; l.Len() < lines && l.Bytes() < want && l.Len() > 1 {
			t.Errorf("limit %d: only %d bytes kept", limit, l.Bytes())
		}
	}
	f(1, 10, 5)
	f(100, 10, 5)
	f(1000, 100, 5)
	f(64<<10, 10_000, 100)
	f(1<<20, 30_000, 0)
	f(1<<20, 50, 70<<10)
}

func TestTheLimitCanChange(t *testing.T) {
	r := New(1 << 20)
	for i := range 1000 {
		r.Append(line(int64(i+1), "0123456789"))
	}
	r.SetLimit(300)
	if r.Bytes() > 300 {
		t.Errorf("%d bytes kept, limit 300", r.Bytes())
	}
	r.SetLimit(0)
	wantTexts(t, r.Lines(), "0123456789")
	if r.DropOldest() != 0 {
		t.Error("the newest line was dropped")
	}
}

func TestFind(t *testing.T) {
	r := New(16 << 10)
	for number := int64(10); number <= 4000; number += 2 {
		r.Append(line(number, fmt.Sprint("line ", number)))
	}
	l := r.Lines()
	oldest := l.At(0).Number
	f := func(number, want int64) {
		t.Helper()
		i := l.Find(number)
		if i == l.Len() {
			if want != 0 {
				t.Errorf("line %d is not found", number)
			}
			return
		}
		if got := l.At(i).Number; got != want {
			t.Errorf("looking for line %d leads to %d, want %d", number, got, want)
		}
		byTime := l.FindTime(begin.Add(time.Duration(number) * time.Second))
		if byTime != i {
			t.Errorf("looking for its time leads to place %d, want %d", byTime, i)
		}
	}
	f(0, oldest)
	f(oldest+1, oldest+2)
	f(3001, 3002)
	f(3500, 3500)
	f(4000, 4000)
	f(4001, 0)
}

func TestFindTimeAfterAllTimes(t *testing.T) {
	r := New(1 << 20)
	r.Append(train.LogLine{Number: 1, Time: begin})
	r.Append(train.LogLine{Number: 2, Time: begin})
	lines := r.Lines()
	for _, year := range []int{2262, 2263, 9999} {
		if at := lines.FindTime(time.Date(year, 12, 31, 0, 0, 0, 0, time.UTC)); at != lines.Len() {
			t.Errorf("in %d line %d is the first", year, at)
		}
	}
}

func TestFindTimeWhereTimesJumpBack(t *testing.T) {
	r := New(1 << 20)
	for i, seconds := range []int{0, 10, -5, 20, 30} {
		r.Append(train.LogLine{Number: int64(i + 1), Time: begin.Add(time.Duration(seconds) * time.Second)})
	}
	r.Append(train.LogLine{Number: 6}, train.LogLine{Number: 7})
	f := func(seconds, want int) {
		t.Helper()
		if got := r.Lines().FindTime(begin.Add(time.Duration(seconds) * time.Second)); got != want {
			t.Errorf("at %ds: place %d, want %d", seconds, got, want)
		}
	}
	f(-60, 0)
	f(1, 1)
	f(11, 3)
	f(30, 4)
	f(31, 7)
	if got := (Lines{}).FindTime(begin); got != 0 {
		t.Errorf("no lines: place %d", got)
	}
}

func TestMatchBothWays(t *testing.T) {
	r := New(8 << 10)
	for number := int64(1); number <= 2000; number++ {
		r.Append(line(number, fmt.Sprint("n=", number)))
	}
	l := r.Lines()
	first := l.At(0).Number
	hundreds := func(text []byte) bool { return len(text) > 4 && string(text[len(text)-2:]) == "00" }
	var up, down []int64
	l.Match(0, 1, hundreds, func(i int) bool { up = append(up, l.At(i).Number); return true })
	l.Match(l.Len()-1, -1, hundreds, func(i int) bool { down = append(down, l.At(i).Number); return len(down) < 2 })
	if len(up) == 0 || up[0] != (first+99)/100*100 || up[len(up)-1] != 2000 || len(up) != int(2000-up[0])/100+1 {
		t.Errorf("forward from %d: %v", first, up)
	}
	if fmt.Sprint(down) != "[2000 1900]" {
		t.Errorf("backward: %v", down)
	}
}
