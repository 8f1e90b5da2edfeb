package points

import (
	"bytes"
	"io"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// recorded is a curve of so many points.
func recorded(points int, names ...string) *Curve {
	recorder := series.NewRecorder(4_000_000)
	for i := range points {
		s := train.Sample{Line: int64(i + 1), Rank: -1, Step: float64(i), HasStep: true}
		for _, name := range names {
			s.Metrics = append(s.Metrics, train.Metric{Name: name, Value: float64(i) / 3})
		}
		if i == 2 {
			s.Time, s.Metrics[0].Value = time.Unix(1_700_000_000, 5), math.NaN()
		}
		recorder.Add(s)
	}
	log := &store.Log{ID: train.StreamID{File: `a "points": [] b.log`}, Samples: recorder.Table()}
	job := &train.Job{Ref: train.Ref{Name: "run"}, Ranks: make([]train.Rank, 1)}
	all := curvesOf(job, 0, 0, log, map[int]int{}, Options{})
	if len(all) == 0 {
		return &Curve{Job: job, log: log}
	}
	return all[0]
}

// Output written point by point is, byte for byte, the output written at once.
func TestCurvesArePrintedPointByPoint(t *testing.T) {
	curves := []*Curve{recorded(3, "loss", "a<b&\u202e", "api_key=sk-abcdefghijklmnop1234567890"), recorded(0), recorded(2000, "loss", "lr")}
	problems := []jsontext.Problem{{Source: `log "points": []`, Text: "broke off"}}
	whole := answerCurves(curves, problems)
	for i, c := range curves {
		for p := range c.each() {
			whole.Series[i].Points = append(whole.Series[i].Points, answerPoint(p))
		}
	}
	want, err := jsontext.Text(whole)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := JSON(&got, curves, problems); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("printed %.900s\nwant %.900s", got.Bytes(), want)
	}
}

// mostHeap discards its input and records how much of the heap was live, now
// and then.
type mostHeap struct {
	most  uint64
	bytes int
}

func (m *mostHeap) Write(p []byte) (int, error) {
	const each = 256 << 10
	if m.bytes/each != (m.bytes+len(p))/each {
		runtime.GC()
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		m.most = max(m.most, now.HeapAlloc)
	}
	m.bytes += len(p)
	return len(p), nil
}

var _ io.Writer = (*mostHeap)(nil)

// Printing points needs little more memory than the points.
func TestPrintingCurvesTakesLittleMemory(t *testing.T) {
	c := recorded(50_000, "loss", "lr")
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	var out mostHeap
	if err := JSON(&out, []*Curve{c}, nil); err != nil {
		t.Fatal(err)
	}
	if out.most == 0 {
		t.Fatalf("only %d bytes were printed", out.bytes)
	}
	if grown := int64(out.most) - int64(before.HeapAlloc); grown > int64(before.HeapAlloc)+12<<20 {
		t.Errorf("%d MiB more are held", grown>>20)
	}
}
