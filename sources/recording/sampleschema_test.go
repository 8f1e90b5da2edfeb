package recording

import (
	"fmt"
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// oddLog has samples of every sort in one batch: with and without their line,
// with all kinds of times, and with integer, fractional, zero and absurd
// steps.
func oddLog(from int64) store.Logged {
	at := time.Date(2026, 11, 20, 8, 0, 0, 123456789, time.UTC)
	l := store.Logged{Stream: train.StreamID{Namespace: "ml", Pod: "p", Container: "c"}, Lines: []train.LogLine{
		{Number: from, Text: "step 10 loss 2.50 lr 1e-4", Time: at}, {Number: from + 1, Text: "no number", Time: at.Local()}, {Number: from + 2, Text: "step 11 loss -0.25 lr 1e-4"},
	}}
	for i, when := range []time.Time{at, {}, at.Truncate(time.Millisecond), at.Truncate(time.Millisecond).Local(), at.Local(), time.Date(1, 2, 3, 4, 5, 6, 0, time.UTC)} {
		for j, step := range []float64{10, 11, 0, math.Copysign(0, -1), 0.5, 1 << 52, math.Inf(-1), math.NaN()} {
			s := train.Sample{Line: from + int64((i+j)%4), Time: when, Rank: j - 1, Scope: train.StepScope(i % 3), Step: step, HasStep: j%2 == 0, Epoch: float64(i) / 3, HasEpoch: i%2 == 0}
			for k := range j {
				s.Metrics = append(s.Metrics, train.Metric{Name: fmt.Sprint("m", k%3), Value: []float64{2.5, -0.25, 1e-4, 7.125, math.NaN(), 0}[(i+k)%6]})
			}
			l.Samples = append(l.Samples, s)
		}
	}
	return l
}

func TestSamplesComeBackByTheirShapes(t *testing.T) {
	e, d := newEncoder(), &decoder{}
	for round := range 3 {
		written := oddLog(int64(1 + 3*round))
		e.out = e.out[:0]
		if is := e.logged(&written); is != recordShapedLog {
			t.Fatalf("written as a record of kind %d", is)
		}
		d.in = e.out
		back := d.logged(recordShapedLog)
		if d.err != nil || len(d.in) > 0 {
			t.Fatalf("round %d: %v, %d bytes left", round, d.err, len(d.in))
		}
		for i := range written.Samples { // a year outside the range of nanoseconds becomes zero
			if !countable(written.Samples[i].Time) {
				written.Samples[i].Time = time.Time{}
			}
		}
		if diff := cmp.Diff(written, back, cmpopts.EquateEmpty(), cmpopts.EquateNaNs(), cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })); diff != "" {
			t.Errorf("round %d: %s", round, diff)
		}
	}
}

func TestSamplesBeyondTheShapesAreWrittenOut(t *testing.T) {
	e, d := newEncoder(), &decoder{}
	for round := range maxSchemas + 10 {
		written := store.Logged{Stream: train.StreamID{Pod: "p"}, Samples: []train.Sample{{Line: 1, Metrics: []train.Metric{{Name: fmt.Sprint(round), Value: 1.5}}}}}
		e.out = e.out[:0]
		is := e.logged(&written)
		if want := round >= maxSchemas; (is == recordLogged) != want {
			t.Fatalf("round %d is a record of kind %d", round, is)
		}
		d.in = e.out
		if back := d.logged(is); d.err != nil || back.Samples[0].Metrics[0].Name != fmt.Sprint(round) || back.Samples[0].Line != 1 {
			t.Fatalf("round %d: %+v (%v)", round, back, d.err)
		}
	}
}

func TestShortDecimalsAreReadAsParseFloatDoes(t *testing.T) {
	read := 0
	for i := range 200_000 {
		number, format := float64(i%7-3)*float64(i)*1.000001, byte('f')
		if i%3 == 0 { // with an exponent, large and small
			number, format = number*math.Pow10(i%60-30), 'e'
		}
		text := strconv.FormatFloat(number, format, i%12, 64)
		v, exact := shortDecimal(text)
		if !exact {
			continue
		}
		read++
		if want, _ := strconv.ParseFloat(text, 64); v != want || math.Signbit(v) != math.Signbit(want) {
			t.Fatalf("%s: %v, want %v", text, v, want)
		}
	}
	if read < 100_000 {
		t.Errorf("only %d numbers were short", read)
	}
	for _, text := range []string{"1e-23", "1e23", "1e100", "1.5e-22", "1234567890123456", "0.1234567890123456"} {
		if _, exact := shortDecimal(text); exact {
			t.Errorf("%s counts as short", text)
		}
	}
}
