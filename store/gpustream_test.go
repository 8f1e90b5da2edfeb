package store

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/train"
)

var update = flag.Bool("update", false, "write golden files anew")

const (
	streamSeeds = 8
	streamSteps = 250
)

// gpuStream is a fixed random stream of objects, readings, backfill and usage
// under a clock that moves, and at times jumps past expiry.
type gpuStream struct {
	*gpuWorld
	now time.Time
}

func (w *gpuStream) next() Event {
	switch w.random.IntN(40) {
	case 0:
		w.now = w.now.Add(time.Duration(w.random.IntN(20)) * time.Minute)
	case 1, 2, 3:
		w.now = w.now.Add(time.Duration(w.random.IntN(90)) * time.Second)
	default:
		w.now = w.now.Add(time.Duration(w.random.IntN(16)) * time.Second)
	}
	switch w.random.IntN(12) {
	case 0:
		return w.backfill()
	case 1:
		return w.usage()
	case 2, 3, 4, 5:
		return w.scrape()
	}
	return w.dated(w.change())
}

// dated moves the times of random readings to the present.
func (w *gpuStream) dated(e Event) Event {
	m, is := e.(Measured)
	if !is {
		return e
	}
	if w.random.IntN(2) == 0 {
		m.Every = everyNode
	}
	for i := range m.Readings {
		r := &m.Readings[i]
		r.At = w.now.Add(r.At.Sub(measuredAt))
		if w.random.IntN(8) == 0 {
			r.At = time.Time{}
		}
		w.count(r)
	}
	return m
}

func (w *gpuStream) count(r *train.GPUReading) {
	if w.random.IntN(3) == 0 {
		r.Values.Set(train.GPUXid, float64(w.random.IntN(3)*31))
		r.Values.Set(train.GPUECCUncorrected, float64(w.now.Unix()/60%7))
		r.Values.Set(train.GPUPower, float64(w.random.IntN(700)))
	}
	if w.random.IntN(8) == 0 {
		r.Events = []train.GPUEvent{{Kind: "xid", Name: w.one("31", "79"), Count: float64(w.random.IntN(4)), Window: time.Minute}}
	}
}

// scrape returns the readings of an exporter of one node, where a GPU is
// missing at times.
func (w *gpuStream) scrape() Event {
	node := w.one("n0", "n1", "n2")
	e := Measured{Source: "exporter/" + node, Node: node, Every: everyNode}
	for i := range 4 {
		if w.random.IntN(9) == 0 {
			continue
		}
		r := reading(train.FromDCGM, train.GPU{Node: node, Index: fmt.Sprint(i), UUID: fmt.Sprintf("GPU-%s1111111%d", node, i)}, float64(w.random.IntN(100)), 60)
		r.At = w.now
		w.count(&r)
		e.Readings = append(e.Readings, r)
	}
	return e
}

func (w *gpuStream) backfill() Event {
	g := train.GPU{Node: w.one("n0", "n1", "n2"), Index: w.one("0", "1")}
	if w.random.IntN(2) == 0 {
		g.UUID = "GPU-" + g.Node + "1111111" + g.Index
	}
	past := train.GPUPast{GPU: g, Quantity: train.GPUUtilization}
	for i := range 1 + w.random.IntN(20) {
		past.Points = append(past.Points, train.Point{At: w.now.Add(-time.Duration(w.random.IntN(70)*i) * time.Second), Value: float64(i)})
	}
	return Backfilled{Source: "prometheus", Past: []train.GPUPast{past}}
}

func (w *gpuStream) usage() Event {
	e := Used{Source: w.one("metrics", "prometheus"), Every: everyNode, Complete: w.random.IntN(3) == 0}
	for _, of := range []UsageOf{{Node: w.one("n0", "n1")}, {Namespace: "ml", Pod: w.one("a-worker-0", "b-master-0"), Container: "pytorch"}} {
		e.Usage = append(e.Usage, used(of, w.now, usages{train.UsedCPU: float64(w.random.IntN(64)), train.UsedRDMAErrors: float64(w.random.IntN(9))}))
	}
	return e
}

// describeAll returns all that a snapshot contains of GPUs and usage, as text.
func describeAll(s *Snapshot) string {
	var b strings.Builder
	fmt.Fprintln(&b, describe(s))
	ids := map[train.GPUID]bool{}
	var order []train.GPUID
	note := func(what string, states []*train.GPUState) {
		for _, state := range states {
			fmt.Fprintf(&b, "%s %+v %d %v job %v rank %d every %s\n", what, state.GPU, state.At.Unix(), state.Sources, state.Job, state.Rank, state.Every)
			if id := state.GPU.ID(); !ids[id] {
				ids[id], order = true, append(order, id)
			}
		}
	}
	note("missing", s.GPUsMissing(""))
	for _, node := range []string{"n0", "n1", "n2", ""} {
		note("on "+node, s.GPUsOn(node))
		note("gone from "+node, s.GPUsMissing(node))
	}
	for i := range 4 {
		for _, node := range []string{"n0", "n1", "n2"} {
			for _, id := range []train.GPUID{train.GPUID(fmt.Sprintf("GPU-%s1111111%d", node, i)), train.GPUID(fmt.Sprintf("node/%s/%d", node, i))} {
				if !ids[id] {
					ids[id], order = true, append(order, id)
				}
			}
		}
	}
	for _, id := range order {
		describePast(&b, s, id)
	}
	describeJobs(&b, s)
	return b.String()
}

func describePast(b *strings.Builder, s *Snapshot, id train.GPUID) {
	fmt.Fprintln(b, id, s.GPUState(id) != nil)
	for _, q := range []train.Quantity{train.GPUUtilization, train.GPUTemperature, train.GPUPower} {
		fmt.Fprintln(b, " ", q, pastLine(s.GPUPast(id, q)))
	}
	for _, change := range s.GPUChanges(id) {
		fmt.Fprintln(b, "  change", change.Quantity, change.At.Unix(), change.From, change.To)
	}
	for _, q := range []train.Quantity{train.GPUXid, train.GPUECCUncorrected} {
		value, at, known := s.GPUBaseline(id, q, s.Now.Add(-10*time.Minute))
		fmt.Fprintln(b, "  baseline", value, at.Unix(), known)
	}
	out := make([]float32, 6)
	s.GPUBuckets(id, train.GPUUtilization, s.Now.Add(-30*time.Minute), 5*time.Minute, out)
	fmt.Fprintln(b, "  buckets", out)
}

func describeJobs(b *strings.Builder, s *Snapshot) {
	for _, job := range s.Jobs() {
		mean, lowest := make([]float32, 6), make([]float32, 6)
		s.JobSpark(job, train.GPUUtilization, mean, lowest, s.Now.Truncate(time.Minute).Add(-30*time.Minute), 5*time.Minute)
		fmt.Fprintln(b, job.Ref.Name, s.JobMeasured(job.ID), mean, lowest)
		s.Export(job, func(e Event) {
			switch e.(type) {
			case Measured, Backfilled, Used:
				fmt.Fprintf(b, "%s %+v\n", goldenName.Replace(fmt.Sprintf("%T", e)), e)
			}
		})
		for i := range job.Ranks {
			for _, u := range s.PodUsage("ml", job.Ranks[i].Pod) {
				fmt.Fprintln(b, usageLine(u))
			}
		}
	}
	for _, node := range []string{"n0", "n1"} {
		fmt.Fprintln(b, node, usageLine(s.NodeUsage(node)), pastLine(s.UsagePast(UsageOf{Node: node}, train.UsedCPU)), pastLine(s.UsagePast(UsageOf{Node: node}, train.UsedRDMAErrors)))
	}
}

// TestGPUStreamIsAsBefore compares a digest of what snapshots contain after
// each event of the stream with a golden file. A snapshot follows each event,
// so that the digest does not depend on when history is written.
func TestGPUStreamIsAsBefore(t *testing.T) {
	var digests [streamSeeds][]string
	var streams sync.WaitGroup
	for seed := range uint64(streamSeeds) {
		streams.Go(func() { digests[seed] = digestsOfStream(seed) })
	}
	streams.Wait()
	golden := filepath.Join("testdata", "gpustream.golden")
	got := strings.Join(slices.Concat(digests[:]...), "\n") + "\n"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the stream (-as before +now)\n%s", diff)
	}
}

// digestsOfStream digests one stream, every 50 events.
func digestsOfStream(seed uint64) (digests []string) {
	w := &gpuStream{newGPUWorld(seed), measuredAt}
	s := New(func() time.Time { return w.now })
	hash := sha256.New()
	for step := range streamSteps {
		s.Apply(w.next())
		snapshot := s.Snapshot()
		if seed%2 == 0 {
			snapshot.AllGPUs()
		}
		text := describeAll(snapshot)
		fmt.Fprintln(hash, text)
		if step%50 == 49 {
			digests = append(digests, fmt.Sprintf("seed %d step %d %x", seed, step, hash.Sum(nil)[:12]))
		}
	}
	return digests
}

// goldenName gives events the names they had when the golden was made.
var goldenName = strings.NewReplacer("Backfilled", "Recalled", "Unwatched", "Forgotten")
