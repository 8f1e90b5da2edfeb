package charts

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// measuredJob is a store with a job of four ranks that has printed a step every
// two seconds for the last half hour, and whose GPUs were measured every 15 s.
func measuredJob(t testing.TB, of func(at time.Time, rank, gpu int) float64) (*store.Store, *train.Job) {
	t.Helper()
	s := clusterStore(t)
	nine := eight.Add(time.Hour)
	s.Apply(store.Clock{Now: nine})
	var job *train.Job
	for _, j := range s.Snapshot().Jobs() {
		if j.Ref.Name == "bert-large" {
			job = j
		}
	}
	r := &job.Ranks[0]
	log := store.Logged{Stream: train.StreamID{Namespace: r.Namespace, Pod: r.Pod, UID: r.PodUID, Container: r.Container, Restart: r.Restarts}}
	for i := range 900 {
		log.Samples = append(log.Samples, train.Sample{
			Line: int64(i + 1), Time: nine.Add(time.Duration(i-899) * 2 * time.Second), Rank: -1, Step: float64(i + 1), HasStep: true,
			Metrics: []train.Metric{{Name: train.MetricLoss, Value: 4 - float64(i)/400}},
		})
	}
	s.Apply(store.StreamChanged{Stream: log.Stream, Status: train.StreamStatus{State: train.StreamLive}}, log)
	for at := nine.Add(-20 * time.Minute); !at.After(nine); at = at.Add(15 * time.Second) {
		s.Apply(store.Clock{Now: at})
		for i := range job.Ranks {
			s.Apply(exporterOf(&job.Ranks[i], at, of))
		}
		s.Snapshot()
	}
	s.Apply(store.Clock{Now: nine})
	return s, job
}

func exporterOf(r *train.Rank, at time.Time, of func(at time.Time, rank, gpu int) float64) store.Measured {
	m := store.Measured{Source: "exporter/gpu/" + r.Pod, Node: r.Node, Every: 15 * time.Second}
	for gpu := range r.GPUs {
		reading := train.GPUReading{At: at, GPU: train.GPU{
			Node: r.Node, Index: fmt.Sprint(gpu), UUID: fmt.Sprintf("GPU-%s-%04d", r.Pod, gpu+1), Namespace: r.Namespace, Pod: r.Pod, Container: r.Container,
		}}
		reading.Values.Set(train.GPUUtilization, of(at, r.Index, gpu))
		reading.Values.Set(train.GPUPower, 350)
		reading.Values.Set(train.GPUPowerLimit, 700)
		m.Readings = append(m.Readings, reading)
	}
	return m
}

// slowFromTenTo is a job whose rank 2 slows down at ten to nine.
func slowFromTenTo(at time.Time, rank, _ int) float64 {
	if rank == 2 && !at.Before(eight.Add(50*time.Minute)) {
		return 20
	}
	return 97
}

func gpuLine(picture, name string) string {
	for _, line := range strings.Split(picture, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), name+"│") {
			_, line, _ = strings.Cut(line, "│")
			return line
		}
	}
	return ""
}

func TestTheSlowRankIsAStripe(t *testing.T) {
	s, job := measuredJob(t, slowFromTenTo)
	for _, axis := range []string{"step", "elapsed", "UTC"} {
		sc := open(t, s, views.ChartsRoute{Job: job.ID}, 160, 45)
		for sc.v.axis.String() != axis {
			sc.do(keymap.ChartX)
		}
		picture := sc.draw()
		well, slow := gpuLine(picture, "rank 1"), gpuLine(picture, "rank 2")
		if n := strings.Count(well, "█"); n < 80 || n > 92 {
			t.Errorf("by %s: 20 of 30 minutes are %d of 130 columns: %q", axis, n, well)
		}
		if full, low := strings.Count(slow, "█"), strings.Count(slow, "▂"); full < 38 || full > 48 || low < 38 || low > 48 {
			t.Errorf("by %s: ten minutes well and ten slow are %d and %d columns: %q", axis, full, low, slow)
		}
		if !strings.Contains(picture, "no GPU history before 08:40") {
			t.Errorf("by %s: nothing says where the history begins:\n%s", axis, picture)
		}
	}
}

func TestScreensWithGPUs(t *testing.T) {
	s, job := measuredJob(t, slowFromTenTo)
	for _, size := range []struct{ width, height int }{{80, 18}, {160, 39}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			golden.RequireEqual(t, open(t, s, views.ChartsRoute{Job: job.ID}, size.width, size.height).draw())
		})
	}
}

func TestTheCrosshairReadsTheGPUs(t *testing.T) {
	s, job := measuredJob(t, slowFromTenTo)
	sc := open(t, s, views.ChartsRoute{Job: job.ID}, 160, 45)
	value := func() string {
		line := gpuLine(sc.draw(), "rank 2")
		return strings.TrimSpace(line[strings.LastIndexAny(line, "▂█│ ")+1:] + " " + line)
	}
	if !strings.Contains(value(), " 20 %") {
		t.Errorf("the newest value is not read: %q", value())
	}
	sc.v.Answered(views.Question{}, "08:45", sc.f)
	if !strings.Contains(value(), " 97 %") {
		t.Errorf("the value at a quarter to nine is not read: %q", value())
	}
	sc.do(keymap.ChartGPUs)
	sc.shows("GPU power", "350 W")
	sc.do(keymap.ChartGPUs) // no other quantity is reported, so it is the use again
	sc.shows("GPU use")
}

func TestRowsOfGPUsCanBeLargeAndAreAwayWhenAskedFor(t *testing.T) {
	s, job := measuredJob(t, slowFromTenTo)
	sc := open(t, s, views.ChartsRoute{Job: job.ID}, 100, 24)
	sc.do(keymap.ChartDown)
	if sc.v.focused() != gpuStrip {
		t.Fatalf("%q is focused", sc.v.focused())
	}
	sc.shows("rank 0", "rank 3")
	sc.v.toggleMetric(gpuStrip)
	if picture := sc.draw(); strings.Contains(picture, "rank 3") || strings.Contains(picture, "GPU use") {
		t.Errorf("rows of GPUs are still there:\n%s", picture)
	}
	if text := Text(s.Snapshot().Run(job), job, "x", 100, 30, sc.f.Theme); strings.Contains(text, "GPU") {
		t.Errorf("the text of curves tells of GPUs:\n%s", text)
	}
}

// The axis of a long run gives the hour a column or two: then two lines are
// enough, and a key zooms to it.
func TestTheHourOfALongRunIsAKeyAway(t *testing.T) {
	s, job := measuredJob(t, slowFromTenTo)
	r := &job.Ranks[0]
	log := store.Logged{Stream: train.StreamID{Namespace: r.Namespace, Pod: r.Pod, UID: r.PodUID, Container: r.Container, Restart: r.Restarts}}
	for i := range 100 { // the same log, far older than the history
		log.Samples = append(log.Samples, train.Sample{
			Line: int64(i + 1), Time: eight.Add(time.Duration(i-9000) * time.Minute), Rank: -1, Step: float64(i - 99_999), HasStep: true,
			Metrics: []train.Metric{{Name: train.MetricLoss, Value: 9}},
		})
	}
	newer := s.Snapshot().Log(log.Stream).Samples
	for i := range newer.Rows {
		row := &newer.Rows[i]
		log.Samples = append(log.Samples, train.Sample{
			Line: row.Line + 100, Time: time.Unix(0, row.Time), Rank: -1, Step: row.Step + 100, HasStep: true, Metrics: []train.Metric{{Name: train.MetricLoss, Value: 3}},
		})
	}
	s.Apply(store.StreamChanged{Stream: log.Stream, Status: train.StreamStatus{State: train.StreamLive}, Restart: true}, log)
	sc := open(t, s, views.ChartsRoute{Job: job.ID}, 160, 45)
	sc.do(keymap.ChartX, keymap.ChartX) // by time, of which the steps of last week fill nearly all
	sc.shows("A shows that part", "mean│", "lowest│")
	if strings.Contains(sc.draw(), "rank 2│") {
		t.Error("each rank has a line of which nothing can be seen")
	}
	sc.do(keymap.ChartHour)
	sc.shows("rank 2│")
}

func TestGPURowsAtAnySize(t *testing.T) {
	s, job := measuredJob(t, slowFromTenTo)
	sc := open(t, s, views.ChartsRoute{Job: job.ID}, 160, 45)
	for range len(gpuShows) {
		for _, width := range []int{1, 10, 39, 40, 59, 61, 129, 300} {
			for _, height := range []int{1, 7, 8, 12, 21, 90} {
				sc.size(width, height, "light", width%2 == 0)
			}
		}
		sc.do(keymap.ChartGPUs, keymap.ChartDown, keymap.ChartX)
	}
}

// BenchmarkScreenGPUs is all of the screen with rows of GPUs and without.
func BenchmarkScreenGPUs(b *testing.B) {
	for _, with := range []bool{false, true} {
		b.Run(fmt.Sprintf("gpus=%v", with), func(b *testing.B) {
			s, job := measuredJob(b, slowFromTenTo)
			sc := open(b, s, views.ChartsRoute{Job: job.ID}, 160, 48)
			if !with {
				sc.v.toggleMetric(gpuStrip)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				sc.v.gpus.drawn.key = gpuDrawnKey{}
				sc.v.gpus.seen = gpuSeen{}
				if len(sc.v.Render(sc.f)) != 48 {
					b.Fatal("no screen")
				}
			}
		})
	}
}
