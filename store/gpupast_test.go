package store

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store/gpus"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// gpuClock is a store whose clock a test moves, and an exporter of one node.
type gpuClock struct {
	*Store
	now time.Time
}

func newGPUClock() *gpuClock {
	c := &gpuClock{now: measuredAt}
	c.Store = New(func() time.Time { return c.now })
	return c
}

// board is a GPU of node n0.
func board(i int) train.GPU {
	return train.GPU{Node: "n0", Index: fmt.Sprint(i), UUID: fmt.Sprintf("GPU-0000000%d-1111", i+1)}
}

func boardID(i int) train.GPUID { return train.GPUID(board(i).UUID) }

// says applies the utilization of some GPUs as reported by a source.
func (c *gpuClock) says(source string, use float64, boards ...int) *Snapshot {
	var all []train.GPUReading
	for _, i := range boards {
		r := reading(train.FromDCGM, board(i), use+float64(i))
		r.At = c.now
		all = append(all, r)
	}
	c.Apply(Measured{Source: source, Node: "n0", Readings: all, Every: everyNode})
	return c.Snapshot()
}

func (c *gpuClock) pass(d time.Duration) { c.now = c.now.Add(d) }

func pastLine(points []train.Point) string {
	text := ""
	for _, p := range points {
		text += fmt.Sprintf("%g=%g ", p.At.Sub(measuredAt).Seconds(), p.Value)
	}
	return text
}

func wantPast(t *testing.T, s *Snapshot, id train.GPUID, want string) {
	t.Helper()
	if got := pastLine(s.GPUPast(id, train.GPUUtilization)); got != want {
		t.Errorf("the past is %s, want %s", got, want)
	}
}

func TestThePastOfAGPU(t *testing.T) {
	c := newGPUClock()
	first := c.says("a", 10, 0, 1)
	c.pass(15 * time.Second)
	c.says("a", 20, 0, 1)
	c.Snapshot() // no event: no point
	c.pass(15 * time.Second)
	c.Apply(setNode(gpuNode("n0", 8))) // nor now, though the node is joined again
	c.Snapshot()
	s := c.says("a", 30, 0, 1)
	wantPast(t, s, boardID(0), "0=10 15=20 30=30 ")
	wantPast(t, s, boardID(1), "0=11 15=21 30=31 ")
	wantPast(t, first, boardID(0), "0=10 ")
	if s.GPUPast(boardID(0), train.GPUTemperature) != nil || s.GPUPast("nobody", train.GPUUtilization) != nil {
		t.Error("there is a past of what nobody measured")
	}
	out := make([]float32, 3)
	if s.GPUBuckets(boardID(0), train.GPUUtilization, measuredAt, 30*time.Second, out); out[0] != 15 || out[1] != 30 || out[2] == out[2] {
		t.Errorf("buckets are %v", out)
	}
	id := boardID(0)
	if n := testing.AllocsPerRun(10, func() { s.GPUBuckets(id, train.GPUUtilization, measuredAt, time.Minute, out) }); n > 0 {
		t.Errorf("buckets take %g allocations", n)
	}
	c.pass(2 * time.Hour)
	wantPast(t, c.Snapshot(), boardID(0), "")
}

// Half an hour of readings without a snapshot leaves a point for each reading.
func TestHistoryIsWrittenWithoutSnapshots(t *testing.T) {
	c := newGPUClock()
	for i := range 121 {
		r := reading(train.FromDCGM, board(0), float64(i))
		r.At = c.now
		c.Apply(Measured{Source: "a", Node: "n0", Readings: []train.GPUReading{r}, Every: everyNode})
		c.pass(everyNode)
	}
	if points := c.Snapshot().GPUPast(boardID(0), train.GPUUtilization); len(points) != 121 {
		t.Errorf("121 readings left %d points", len(points))
	}
}

// Events between two snapshots leave their points, too.
func TestThePastBetweenSnapshots(t *testing.T) {
	c := newGPUClock()
	for i := range 4 {
		r := reading(train.FromDCGM, board(0), float64(i))
		r.At = c.now
		c.Apply(Measured{Source: "a", Node: "n0", Readings: []train.GPUReading{r}, Every: everyNode})
		c.pass(everyNode)
	}
	wantPast(t, c.Snapshot(), boardID(0), "0=0 15=1 30=2 45=3 ")
}

// Clocks differ: a time in the future becomes now, and an earlier time is not
// recorded again.
func TestTimesThatCannotBe(t *testing.T) {
	c := newGPUClock()
	c.says("a", 10, 0)
	c.pass(15 * time.Second)
	ahead := reading(train.FromDCGM, board(0), 20)
	ahead.At = c.now.Add(time.Hour)
	c.Apply(Measured{Source: "a", Node: "n0", Readings: []train.GPUReading{ahead}, Every: everyNode})
	s := c.Snapshot()
	wantPast(t, s, boardID(0), "0=10 15=20 ")
	if at := s.GPUState(boardID(0)).At; !at.Equal(c.now) || !ahead.At.Equal(c.now.Add(time.Hour)) {
		t.Errorf("it was measured at %s", at)
	}
	c.pass(15 * time.Second)
	behind := reading(train.FromDCGM, board(0), 30)
	behind.At = measuredAt.Add(2 * time.Second)
	timeless := reading(train.FromDCGM, board(1), 31)
	timeless.At = time.Time{}
	c.Apply(Measured{Source: "a", Node: "n0", Readings: []train.GPUReading{behind, timeless}, Every: everyNode})
	wantPast(t, c.Snapshot(), boardID(0), "0=10 15=20 ")
	wantPast(t, c.Snapshot(), boardID(1), "30=31 ")
}

func TestAFileIsOnePoint(t *testing.T) {
	s := newStore()
	timeless := reading(train.FromTool, board(1), 8)
	timeless.At = time.Time{}
	s.Apply(Clock{measuredAt}, Measured{Source: "smi.txt", Readings: []train.GPUReading{reading(train.FromTool, board(0), 7), timeless}})
	s.Snapshot()
	s.Apply(setNode(gpuNode("n0", 8)))
	snapshot := s.Snapshot()
	wantPast(t, snapshot, boardID(0), "0=7 ")
	wantPast(t, snapshot, boardID(1), "")
	if state := snapshot.GPUState(boardID(1)); state == nil || state.Freshness(instant) != train.Fresh {
		t.Errorf("the second is %v", state)
	}
}

func TestRecalledPoints(t *testing.T) {
	past := func(g train.GPU, seconds ...float64) train.GPUPast {
		p := train.GPUPast{GPU: g, Quantity: train.GPUUtilization}
		for _, s := range seconds {
			p.Points = append(p.Points, train.Point{At: measuredAt.Add(time.Duration(s * float64(time.Second))), Value: 50})
		}
		return p
	}
	named := train.GPU{Host: "n1", Index: "3"} // no UUID: found by its node
	for _, recalledFirst := range []bool{false, true} {
		c := newGPUClock()
		c.Apply(setNode(gpuNode("n1", 8)))
		recalled := Backfilled{Source: "prometheus", Past: []train.GPUPast{past(board(0), 120, -120, -60, 0, -7200, -60), past(named, -60)}}
		other := reading(train.FromDCGM, train.GPU{Node: "n1", Index: "3"}, 1)
		if recalledFirst {
			c.Apply(recalled)
			c.Snapshot()
		}
		c.Apply(Measured{Source: "b", Node: "n1", Readings: []train.GPUReading{other}, Every: everyNode})
		before := c.says("a", 10, 0)
		if !recalledFirst {
			wantPast(t, before, boardID(0), "0=10 ")
			c.Apply(recalled)
		}
		s := c.Snapshot()
		if recalledFirst {
			wantPast(t, s, boardID(0), "-120=50 -60=50 0=50 ") // the same instant: the first event is kept
		} else {
			wantPast(t, s, boardID(0), "-120=50 -60=50 0=10 ")
			wantPast(t, before, boardID(0), "0=10 ")
		}
		wantPast(t, s, "node/n1/3", "-60=50 0=1 ")
		c.pass(15 * time.Second)
		if s := c.says("a", 20, 0); !strings.HasSuffix(pastLine(s.GPUPast(boardID(0), train.GPUUtilization)), "15=20 ") {
			t.Error("the past does not go on")
		}
	}
}

func TestAGPUThatFellOffTheBus(t *testing.T) {
	c := newGPUClock()
	c.says("a", 10, 0, 1, 2)
	c.pass(15 * time.Second)
	shown := c.says("a", 20, 0, 2)
	if state := shown.GPUState(boardID(1)); state == nil || !state.At.Equal(measuredAt) || len(shown.AllGPUs()) != 3 || len(shown.GPUsMissing("")) > 0 {
		t.Errorf("at once it is %v, and %d are shown", state, len(shown.AllGPUs()))
	}
	for range 4 {
		c.pass(15 * time.Second)
		c.says("a", 30, 0, 2)
	}
	s := c.Snapshot()
	missing := s.GPUsMissing("n0")
	if len(missing) != 1 || missing[0].GPU.UUID != board(1).UUID || !missing[0].At.Equal(measuredAt) || len(s.GPUStates()) != 2 || len(s.GPUsMissing("")) != 1 {
		t.Fatalf("missing are %v of %d", missing, len(s.GPUStates()))
	}
	wantPast(t, s, boardID(1), "0=11 ")
	if len(shown.GPUsMissing("")) > 0 {
		t.Error("an earlier snapshot changed")
	}
	back := c.says("b", 40, 0, 1, 2) // another exporter's pod, and the GPU is back
	if len(back.GPUsMissing("")) > 0 || back.GPUState(boardID(1)) == nil {
		t.Error("it did not come back")
	}
	wantPast(t, back, boardID(1), "0=11 75=41 ")
	for range 300 {
		c.pass(15 * time.Second)
		c.says("a", 30, 0, 2)
		c.says("b", 30, 0, 2)
	}
	s = c.Snapshot()
	if len(s.GPUsMissing("")) > 0 || s.GPUPast(boardID(1), train.GPUUtilization) != nil || c.gpus.Size().Histories != 2 {
		t.Errorf("after an hour %d are missing, and %d have a past", len(s.GPUsMissing("")), c.gpus.Size().Histories)
	}
}

// A source that stops reporting, or reports no readings, does not make a GPU
// missing.
func TestASourceThatFallsSilent(t *testing.T) {
	c := newGPUClock()
	c.says("a", 10, 0, 1)
	c.pass(train.ExpiredAfter * everyNode)
	s := c.Snapshot()
	if len(s.AllGPUs()) != 2 || s.GPUState(boardID(0)).Freshness(c.now) != train.Stale {
		t.Errorf("of a silent source %d are shown", len(s.AllGPUs()))
	}
	c.pass(time.Second)
	s = c.Snapshot()
	if len(s.AllGPUs()) > 0 || len(s.GPUsMissing("")) > 0 || c.gpus.Size().Sources > 0 {
		t.Errorf("what has expired is shown: %s, %d missing", gpuLines(s), len(s.GPUsMissing("")))
	}
	wantPast(t, s, boardID(0), "0=10 ")
	c.says("a", 10, 0, 1)
	c.Apply(Measured{Source: "a", Node: "n0", Every: everyNode})
	if s := c.Snapshot(); len(s.AllGPUs()) > 0 || len(s.GPUsMissing("")) > 0 {
		t.Errorf("after an empty word %s are shown", gpuLines(s))
	}
	c.pass(2 * time.Hour)
	c.Snapshot()
	c.pass(gpus.SweepEvery)
	if c.Snapshot(); c.gpus.Size().Histories > 0 || c.gpus.Size().Nodes > 0 || mapOf(c.Snapshot().gpus.nodes).Len() > 0 || mapOf(c.Snapshot().gpus.at).Len() > 0 {
		t.Errorf("%d GPUs and %d nodes are kept for ever", c.gpus.Size().Histories, c.gpus.Size().Nodes)
	}
}

// A source that sees only some of a node's GPUs, like a tool in a pod, does
// not make the others missing.
func TestALesserSourceMissesNothing(t *testing.T) {
	c := newGPUClock()
	c.says("a", 10, 0, 1)
	tool := func() *Snapshot {
		r := reading(train.FromTool, board(0), 50)
		r.At = c.now
		c.Apply(Measured{Source: "exec", Node: "n0", Readings: []train.GPUReading{r}, Every: everyNode})
		return c.Snapshot()
	}
	for range 20 {
		c.pass(15 * time.Second)
		tool()
	}
	if s := tool(); len(s.GPUsMissing("")) > 0 || len(s.AllGPUs()) != 1 {
		t.Errorf("%d are missing, %d shown", len(s.GPUsMissing("")), len(s.AllGPUs()))
	}
}

// A GPU that is partitioned into MIG slices is not missing.
func TestABoardThatIsCut(t *testing.T) {
	c := newGPUClock()
	c.says("a", 10, 0, 1)
	for range 10 {
		c.pass(15 * time.Second)
		whole, slice := reading(train.FromDCGM, board(1), 5), board(0)
		slice.MIG = train.MIG{Profile: "3g.40gb", Instance: "1"}
		part := reading(train.FromDCGM, slice, 7)
		whole.At, part.At = c.now, c.now
		c.Apply(Measured{Source: "a", Node: "n0", Readings: []train.GPUReading{whole, part}, Every: everyNode})
		c.Snapshot()
	}
	if s := c.Snapshot(); len(s.GPUsMissing("")) > 0 || len(s.AllGPUs()) != 2 || s.GPUState(boardID(0)+"/mig/1") == nil {
		t.Errorf("%d are missing, %s", len(s.GPUsMissing("")), gpuLines(s))
	}
}

// counted applies counters of GPU 0 as reported by a source.
func (c *gpuClock) counted(source string, kind train.GPUSource, values map[train.Quantity]float64, events ...train.GPUEvent) *Snapshot {
	r := reading(kind, board(0), 50)
	r.At, r.Events = c.now, events
	for q, value := range values {
		r.Values.Set(q, value)
	}
	c.Apply(Measured{Source: source, Node: "n0", Readings: []train.GPUReading{r}, Every: everyNode})
	return c.Snapshot()
}

func changeLine(s *Snapshot) string {
	text := ""
	for _, change := range s.GPUChanges(boardID(0)) {
		text += fmt.Sprintf("%d@%g:%g>%g ", change.Quantity, change.At.Sub(measuredAt).Seconds(), change.From, change.To)
	}
	return text
}

func TestChangesOfCounters(t *testing.T) {
	c := newGPUClock()
	xid, ecc := train.GPUXid, train.GPUECCUncorrected
	type values = map[train.Quantity]float64
	for _, readings := range []values{
		{xid: 31, ecc: 5},  // 0: the earlier value is unknown
		{xid: 31, ecc: 5},  // 15
		{xid: 79, ecc: 6},  // 30
		{xid: 79},          // 45
		{xid: 79, ecc: 8},  // 60
		{xid: 31, ecc: 0},  // 75: another Xid; the driver was reloaded
		{xid: 0, ecc: 1},   // 90: the exporter restarted
		{xid: 119, ecc: 1}, // 105
	} {
		c.counted("a", train.FromDCGM, readings)
		c.pass(15 * time.Second)
	}
	s := c.Snapshot()
	want := fmt.Sprintf("%[1]d@30:31>79 %[2]d@30:5>6 %[2]d@60:6>8 %[1]d@75:79>31 %[2]d@90:0>1 %[1]d@105:0>119 ", xid, ecc)
	if got := changeLine(s); got != want {
		t.Errorf("changes are %s\nwant %s", got, want)
	}
	baseline := func(q train.Quantity, since, value, at float64) {
		t.Helper()
		got, from, known := s.GPUBaseline(boardID(0), q, measuredAt.Add(time.Duration(since)*time.Second))
		if !known || got != value || from.Sub(measuredAt).Seconds() != at {
			t.Errorf("at %g s it was %g from %s on, want %g from %g s", since, got, from, value, at)
		}
	}
	baseline(ecc, -3600, 0, 75)
	baseline(ecc, 80, 0, 80)
	baseline(ecc, 100, 1, 100)
	baseline(xid, 95, 0, 95)
	baseline(xid, 200, 119, 200)
	if _, _, known := s.GPUBaseline(boardID(0), train.GPUNVLinkErrors, measuredAt); known {
		t.Error("a number that nobody told is known")
	}
}

// Two exporters do not report a change at the same time, and another kind of
// source may count differently.
func TestChangesAreBelievedOfOneSource(t *testing.T) {
	c := newGPUClock()
	q := train.GPUECCUncorrected
	type values = map[train.Quantity]float64
	c.counted("a", train.FromDCGM, values{q: 5})
	c.counted("b", train.FromDCGM, values{q: 5})
	c.counted("smi", train.FromSMIExporter, values{q: 900})
	c.pass(15 * time.Second)
	c.counted("b", train.FromDCGM, values{q: 6})
	c.pass(time.Second)
	c.counted("a", train.FromDCGM, values{q: 5})
	c.pass(15 * time.Second)
	c.counted("b", train.FromDCGM, values{q: 6})
	s := c.counted("a", train.FromDCGM, values{q: 6})
	if got, want := changeLine(s), fmt.Sprintf("%d@31:5>6 ", q); got != want {
		t.Errorf("changes are %s, want %s", got, want)
	}
	c.Apply(Measured{Source: "smi", Node: "n0"}, Measured{Source: "a", Node: "n0"}, Measured{Source: "b", Node: "n0"})
	c.pass(15 * time.Second)
	s = c.counted("smi", train.FromSMIExporter, values{q: 901})
	if got, want := changeLine(s), fmt.Sprintf("%d@31:5>6 ", q); got != want {
		t.Errorf("changes are %s, want %s", got, want)
	}
	if value, _, _ := s.GPUBaseline(boardID(0), q, measuredAt); value != 901 {
		t.Errorf("the baseline of the other source is %g", value)
	}
}

func TestAnXidThatComesAgain(t *testing.T) {
	c := newGPUClock()
	xid := train.GPUXid
	count := func(code string, n float64) train.GPUEvent {
		return train.GPUEvent{Kind: "xid", Name: code, Count: n, Window: 5 * time.Minute}
	}
	type values = map[train.Quantity]float64
	c.counted("a", train.FromDCGM, values{xid: 31}, count("31", 1))
	c.pass(15 * time.Second)
	c.counted("a", train.FromDCGM, values{xid: 31}, count("31", 2))
	c.pass(15 * time.Second)
	c.counted("a", train.FromDCGM, values{xid: 43}, count("31", 2), count("43", 1))
	c.pass(15 * time.Second)
	c.counted("a", train.FromDCGM, values{xid: 43})
	c.pass(15 * time.Second)
	s := c.counted("a", train.FromDCGM, values{xid: 43}, count("43", 1), count("no number", 7))
	if got, want := changeLine(s), fmt.Sprintf("%[1]d@15:31>31 %[1]d@30:31>43 %[1]d@60:43>43 ", xid); got != want {
		t.Errorf("changes are %s, want %s", got, want)
	}
}

func TestChangesAreBounded(t *testing.T) {
	c := newGPUClock()
	var early *Snapshot
	for i := range 200 {
		s := c.counted("a", train.FromDCGM, map[train.Quantity]float64{train.GPUPCIeReplays: float64(i)})
		if i == 20 {
			early = s
		}
		c.pass(15 * time.Second)
	}
	changes := c.Snapshot().GPUChanges(boardID(0))
	if len(changes) != gpus.MaxChanges || changes[gpus.MaxChanges-1].To != 199 || changes[0].To != 200-gpus.MaxChanges {
		t.Errorf("%d changes are kept, the first to %g", len(changes), changes[0].To)
	}
	if len(early.GPUChanges(boardID(0))) != 20 || early.GPUChanges(boardID(0))[19].To != 20 {
		t.Error("an earlier snapshot changed")
	}
	if value, _, _ := c.Snapshot().GPUBaseline(boardID(0), train.GPUPCIeReplays, measuredAt.Add(199*everyNode-time.Second)); value != 198 {
		t.Errorf("the baseline is %g", value)
	}
}

func TestTheGPUsOfAJob(t *testing.T) {
	c := newGPUClock()
	job := pyTorchJob("ml", "bert", "u1", 2)
	c.Apply(setJob(job), setPod(worker(job, -1, "n2")), setPod(worker(job, 0, "n1")), setPod(worker(job, 1, "n0")))
	s := c.Snapshot()
	of := s.JobOf(kinds.PodKind, "ml", "bert-worker-0")
	if s.JobGPUs(of) != nil || s.JobGPUsVersion(of.ID) != 0 || len(s.GPUsOf(of)) != 3 || s.JobGPUs(nil) != nil || s.GPUsOf(nil) != nil {
		t.Fatalf("nothing is measured, and %v and %d states are there", s.JobGPUs(of), len(s.GPUsOf(of)))
	}
	tell := func(node, pod string, use ...float64) {
		var all []train.GPUReading
		for i, value := range use {
			r := reading(train.FromDCGM, train.GPU{Node: node, Index: fmt.Sprint(i), Namespace: "ml", Pod: pod}, value)
			r.At = c.now
			r.Values.Set(train.GPUPower, 100)
			all = append(all, r)
		}
		c.Apply(Measured{Source: "on " + node, Node: node, Readings: all, Every: everyNode})
	}
	tell("n1", "bert-worker-0", 90, 30)
	tell("n2", "bert-master-0", 60, 60)
	s = c.Snapshot()
	sum := s.JobGPUs(of)
	if sum.Wanted != 24 || sum.Measured != 4 || sum.Fresh != 4 || sum.Mean != (Figure{60, 4}) || sum.Lowest != (Figure{30, 1}) ||
		sum.LowestGPU != "node/n1/1" || sum.Power != (Figure{400, 4}) || sum.TensorMean.Known() || !sum.At.Equal(c.now) || sum.Every != everyNode ||
		!slices.Equal(sum.Sources, []train.GPUSource{train.FromDCGM}) {
		t.Errorf("the sum is %+v", sum)
	}
	order := ""
	for _, state := range s.GPUsOf(of) {
		order += fmt.Sprintf("%d:%s/%s*%d ", state.Rank, state.GPU.Node, state.GPU.Index, state.Count)
	}
	if want := "0:n2/*6 0:n2/0*1 0:n2/1*1 1:n1/*6 1:n1/0*1 1:n1/1*1 2:n0/*8 "; order != want {
		t.Errorf("the GPUs are %s, want %s", order, want)
	}
	if s.JobGPUs(of) != sum {
		t.Error("the sum was made twice")
	}
	version := s.JobGPUsVersion(of.ID)
	c.pass(15 * time.Second)
	tell("n1", "bert-worker-0", 80, 20)
	s = c.Snapshot()
	if got := s.JobGPUs(of); got.Mean != (Figure{55, 4}) || s.JobGPUsVersion(of.ID) == version || sum.Mean != (Figure{60, 4}) {
		t.Errorf("after a reading the mean is %v", got.Mean)
	}
	mean, lowest := make([]float32, 3), make([]float32, 2)
	s.JobSpark(of, train.GPUUtilization, mean, lowest, measuredAt, 10*time.Second)
	if mean[0] != 60 || mean[1] != 50 || !math.IsNaN(float64(mean[2])) || lowest[0] != 30 || lowest[1] != 20 {
		t.Errorf("the sparkline is %v, lowest %v", mean, lowest)
	}
	c.pass(3*everyNode + time.Second) // n2 is stale by now, n1 too
	s = c.Snapshot()
	if got := s.JobGPUs(of); got.Fresh != 0 || got.Measured != 4 || got.Mean != (Figure{55, 4}) || !s.JobMeasured(of.ID) {
		t.Errorf("stale the sum is %+v", got)
	}
	tell("n1", "bert-worker-0", 70, 10)
	if got := c.Snapshot().JobGPUs(of); got.Fresh != 2 || got.Measured != 4 || got.Mean != (Figure{40, 2}) {
		t.Errorf("with two fresh ones the sum is %+v", got)
	}
	c.pass(13 * everyNode)
	if got := c.Snapshot().JobGPUs(of); got != nil || c.Snapshot().JobMeasured(of.ID) {
		t.Errorf("expired the sum is %+v", got)
	}
}

// Slices and shares repeat the numbers of their GPU.
func TestABoardIsAddedOnce(t *testing.T) {
	c := newGPUClock()
	job := pyTorchJob("ml", "bert", "u1", 1)
	c.Apply(setJob(job), setPod(worker(job, 0, "n0")))
	var all []train.GPUReading
	for _, part := range []struct{ mig, share string }{{mig: "1"}, {mig: "2"}, {share: "0"}, {share: "1"}} {
		g := board(len(part.share))
		g.Namespace, g.Pod, g.MIG.Instance, g.Share = "ml", "bert-worker-0", part.mig, part.share
		r := reading(train.FromDCGM, g)
		r.Values.Set(train.GPUPower, 300)
		r.Values.Set(train.GPUMemoryUsed, 10)
		r.Values.Set(train.GPUGraphics, 0.5)
		all = append(all, r)
	}
	c.Apply(Measured{Source: "a", Node: "n0", Readings: all, Every: everyNode})
	s := c.Snapshot()
	sum := s.JobGPUs(s.Jobs()[0])
	if sum.Measured != 4 || sum.Power != (Figure{600, 2}) || sum.MemoryUsed != (Figure{30, 3}) || sum.GraphicsMean != (Figure{0.5, 4}) || sum.Mean.Known() {
		t.Errorf("the sum is %+v", sum)
	}
}

// A cluster without readings costs nothing: who holds what is computed on
// request, and kept up to date only from then on.
func TestWhatNobodyMeasuresIsFree(t *testing.T) {
	s := newStore()
	_, pods := fill(s, 10)
	snapshot := s.Snapshot()
	for _, job := range snapshot.Jobs() {
		if snapshot.JobGPUs(job) != nil || len(snapshot.GPUsOf(job)) != 10 {
			t.Fatalf("%d GPUs", len(snapshot.GPUsOf(job)))
		}
	}
	held := 0
	EachUnmeasuredNodeHold(snapshot, func(state *train.GPUState) { held += state.Count })
	EachMeasuredNodeGPU(snapshot, func(state *train.GPUState) { t.Errorf("%+v counts as measured", state.GPU) })
	if held != 8*len(pods) {
		t.Errorf("pods hold %d GPUs", held)
	}
	s.Apply(setPod(pods[0]))
	snapshot = s.Snapshot()
	if n := mapOf(snapshot.gpus.nodes).Len(); n > 0 || snapshot.GPUsVersion > 0 || len(s.join.measured)+len(s.join.crossNodeHolders) > 0 || s.gpus.Size() != (gpus.Size{}) {
		t.Errorf("%d nodes are kept up to date", n)
	}
	before := len(snapshot.AllGPUs())
	gone := *pods[0]
	gone.Status.Phase = corev1.PodSucceeded
	s.Apply(setPod(&gone))
	snapshot = s.Snapshot()
	if n := mapOf(snapshot.gpus.nodes).Len(); n != 13 || before != 101 || len(snapshot.AllGPUs()) != 101 || !snapshot.AllGPUs()[0].Free {
		t.Errorf("%d nodes are kept up to date, with %d GPUs", n, len(snapshot.AllGPUs()))
	}
}
