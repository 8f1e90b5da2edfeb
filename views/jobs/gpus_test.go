package jobs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns/jobrows"
)

// busy applies readings of the GPUs of a job, eight of each rank, every 15 s
// for some minutes until some time before nine.
func busy(t testing.TB, s *store.Store, name string, minutes int, ago time.Duration, of func(rank, gpu int) float64) {
	t.Helper()
	for _, j := range s.Snapshot().Jobs() {
		if j.Ref.Name != name {
			continue
		}
		for n := minutes * 4; n >= 0; n-- {
			at := nine.Add(-ago - time.Duration(n)*15*time.Second)
			s.Apply(store.Clock{Now: at})
			for i := range j.Ranks {
				s.Apply(exporterOf(&j.Ranks[i], at, of))
			}
			s.Snapshot() // events between two snapshots are thinned
		}
		s.Apply(store.Clock{Now: nine})
		return
	}
	t.Fatalf("there is no job %s", name)
}

func exporterOf(r *train.Rank, at time.Time, of func(rank, gpu int) float64) store.Measured {
	m := store.Measured{Source: "exporter/gpu/" + r.Pod, Node: r.Node, Every: 15 * time.Second}
	for gpu := range r.GPUs {
		reading := train.GPUReading{At: at, GPU: train.GPU{
			Node: r.Node, Index: fmt.Sprint(gpu), UUID: fmt.Sprintf("GPU-%s-%04d", r.Pod, gpu+1),
			Namespace: r.Namespace, Pod: r.Pod, Container: r.Container,
		}}
		reading.Values.Set(train.GPUUtilization, of(r.Index, gpu))
		reading.Values.Set(train.GPUPower, 600)
		reading.Values.Set(train.GPUPowerLimit, 700)
		reading.Values.Set(train.GPUMemoryUsed, 1024)
		reading.Values.Set(train.GPUMemoryTotal, 4096)
		m.Readings = append(m.Readings, reading)
	}
	return m
}

func even(use float64) func(int, int) float64 { return func(int, int) float64 { return use } }

func TestJobsSayHowBusyTheirGPUsAre(t *testing.T) {
	s := cluster(t)
	before, _ := rows(t, New(views.JobsRoute{}), s, 200, 30)
	if strings.Contains(before[0], jobrows.TitleUse) {
		t.Error("the column of GPUs shows where nothing is measured")
	}
	busy(t, s, "qwen-sft", 30, 5*time.Second, even(97))
	busy(t, s, "bert-large", 30, 5*time.Second, func(rank, gpu int) float64 {
		if rank == 1 && gpu == 2 {
			return 41
		}
		return 97
	})
	v := New(views.JobsRoute{})
	lines, f := rows(t, v, s, 200, 30)
	f2 := func(name, want string) {
		t.Helper()
		if row := rowOf(lines, name); !strings.Contains(row, want) {
			t.Errorf("%q is not in %q", want, row)
		}
	}
	f2("qwen-sft", " 97 %     ")
	f2("bert-large", " 94 % ↓41 ")
	f2("grpo", "   –      ")
	for _, name := range []string{"second", "ctr-daily", "olmo-sft"} { // queued, done, suspended
		if row := rowOf(lines, name); strings.Contains(row, "%") {
			t.Errorf("a job that holds no GPU has numbers of them: %q", row)
		}
	}
	v.Do(keymap.Wide, f)
	lines, _ = rows(t, v, s, 260, 30)
	f2("qwen-sft", "16.0/64.0 GiB")
	f2("qwen-sft", "9.6 kW of 11.2 kW")
}

func TestJobsAreSortedByHowBusyTheirGPUsAre(t *testing.T) {
	s := cluster(t)
	busy(t, s, "qwen-sft", 1, time.Second, even(31))
	busy(t, s, "bert-large", 1, time.Second, even(97))
	v := New(views.JobsRoute{})
	_, f := rows(t, v, s, 200, 30)
	order := func() []string {
		lines, _ := rows(t, v, s, 200, 30)
		return lines[1:3]
	}
	v.Do(keymap.SortUse, f)
	if got := order(); !strings.Contains(got[0], "bert-large") || !strings.Contains(got[1], "qwen-sft") {
		t.Errorf("sorted by use:\n%s", strings.Join(got, "\n"))
	}
}

// Numbers of a source that stopped reporting are greyed and then gone.
func TestOldUseFades(t *testing.T) {
	for _, c := range []struct {
		ago  time.Duration
		want string
		role themes.Role
	}{{10 * time.Second, "97 %", themes.Text}, {time.Minute, "97 %", themes.Dim}, {4 * time.Minute, "–", themes.Dim}} {
		s := cluster(t)
		busy(t, s, "qwen-sft", 1, c.ago, even(97))
		v := New(views.JobsRoute{})
		_, f := rows(t, v, s, 200, 30)
		for _, j := range f.Snapshot.Jobs() {
			if j.Ref.Name != "qwen-sft" {
				continue
			}
			cell := v.facts.Use(j, f.Ink())
			text, role := cell.Text, cell.Role
			if len(cell.Spans) > 0 {
				text, role = cell.Spans[0].Text, cell.Spans[0].Role
			}
			if strings.TrimSpace(text) != c.want || role != c.role {
				t.Errorf("measured %s ago: %q in role %d", c.ago, text, role)
			}
		}
	}
}

func oneSlow(_, gpu int) float64 {
	if gpu == 2 {
		return 41
	}
	return 97
}

func TestHalfAnHourIsASparkline(t *testing.T) {
	s := manyJobs(2)
	busy(t, s, "train-00000", 40, 5*time.Second, even(97))
	busy(t, s, "train-00001", 12, 5*time.Second, oneSlow)
	lines, _ := rows(t, New(views.JobsRoute{}), s, 200, 30)
	if row := rowOf(lines, "train-00000"); !strings.Contains(row, " 97 %     ██████ ") {
		t.Errorf("%q", row)
	}
	if row := rowOf(lines, "train-00001"); !strings.Contains(row, " 90 % ↓41    ███ ") {
		t.Errorf("%q", row)
	}
}

// A signal of a running job is shown as its reason, and puts it before the jobs
// that are well.
func TestSlowGPUsAreAReason(t *testing.T) {
	s := manyJobs(2)
	busy(t, s, "train-00000", 10, 5*time.Second, even(97))
	busy(t, s, "train-00001", 10, 5*time.Second, oneSlow)
	snapshot := s.Snapshot()
	well, slow := snapshot.Jobs()[0], snapshot.Jobs()[1]
	if well.Ref.Name != "train-00000" {
		well, slow = slow, well
	}
	v := New(views.JobsRoute{})
	_, f := rows(t, v, s, 200, 30)
	if cell := v.facts.Reason(slow); cell.Text != "" {
		t.Errorf("without a diagnosis there is a reason: %q", cell.Text)
	}
	f.Diagnosis = diagnose.Run(snapshot, diagnose.Options{}, nil)
	v.Render(f)
	if cell := v.facts.Reason(slow); !strings.Contains(cell.Text, "slow") && !strings.Contains(cell.Text, "median") || cell.Role != themes.Waiting {
		t.Errorf("%q in role %d; signals: %v", cell.Text, cell.Role, f.Diagnosis.Signals().Job(slow.ID))
	}
	if cell := v.facts.Reason(well); cell.Text != "" {
		t.Errorf("a job that is well says %q", cell.Text)
	}
	if v.needsYou(slow, well) >= 0 || !v.Faulty(slow) || v.Faulty(well) {
		t.Error("the job with a slow GPU does not come before the one that is well")
	}
}

func BenchmarkJobs(b *testing.B) {
	for _, measured := range []bool{false, true} {
		b.Run(fmt.Sprintf("measured=%v", measured), func(b *testing.B) {
			s, v, f := thousand(b, measured)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				f.Snapshot = s.Snapshot()
				b.StartTimer()
				v.Render(f)
			}
		})
	}
}

// BenchmarkJobsByUse is the list of 1,000 jobs sorted by how busy GPUs are,
// after one node's exporter was read.
func BenchmarkJobsByUse(b *testing.B) {
	s, v, f := thousand(b, true)
	v.SortBy(jobrows.TitleUse, true)
	v.Render(f)
	r := f.Snapshot.Jobs()[0].Ranks[0]
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		s.Apply(exporterOf(&r, nine.Add(time.Duration(i)*time.Second), even(float64(i%100))))
		f.Snapshot = s.Snapshot()
		v.SetWide(false) // rows are to be worked out again
		b.StartTimer()
		v.Render(f)
	}
}

func thousand(b *testing.B, measured bool) (*store.Store, *View, views.Frame) {
	b.Helper()
	s := manyJobs(1000)
	if measured {
		for _, j := range s.Snapshot().Jobs() {
			for i := range j.Ranks {
				if j.Ranks[i].Pod != "" {
					for n := range 8 {
						s.Apply(exporterOf(&j.Ranks[i], nine.Add(time.Duration(n-8)*15*time.Second), even(90)))
					}
				}
			}
		}
	}
	v := New(views.JobsRoute{})
	_, f := rows(b, v, s, 200, 60)
	return s, v, f
}
