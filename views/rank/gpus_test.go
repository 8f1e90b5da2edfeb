package rank

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

var nine = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// picture is the page of rank 1 of the job bert-large in ui's fixture, of whose
// four GPUs three were measured.
func picture(t *testing.T, values func(gpu int, v *train.Values)) string {
	t.Helper()
	return pictureOf(t, 180, values)
}

func pictureOf(t *testing.T, width int, values func(gpu int, v *train.Values)) string {
	t.Helper()
	s := store.New(func() time.Time { return nine })
	if err := dump.New([]string{"../../ui/testdata/cluster.yaml"}, dump.Options{}).Run(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	s.Apply(store.Clock{Now: nine})
	var job *train.Job
	for _, j := range s.Snapshot().Jobs() {
		if j.Ref.Name == "bert-large" {
			job = j
		}
	}
	r := &job.Ranks[1]
	if values != nil {
		m := store.Measured{Source: "exporter/gpu/a", Node: r.Node, Every: 15 * time.Second}
		for gpu := range 3 {
			reading := train.GPUReading{At: nine.Add(-9 * time.Second), GPU: train.GPU{
				Node: r.Node, Index: fmt.Sprint(gpu), UUID: fmt.Sprintf("GPU-0000-%04d", gpu+1), Model: "H100\x1b[31m", Namespace: r.Namespace, Pod: r.Pod, Container: r.Container,
			}}
			values(gpu, &reading.Values)
			m.Readings = append(m.Readings, reading)
		}
		used := train.Usage{Namespace: r.Namespace, Pod: r.Pod, Container: r.Container, At: nine.Add(-20 * time.Second)}
		used.Values.Set(train.UsedCPU, 11.5)
		used.Values.Set(train.UsedMemory, 200<<30)
		used.Values.Set(train.UsedCPUThrottled, 0.4)
		s.Apply(m, store.Used{Source: "prometheus", Usage: []train.Usage{used}, Every: 30 * time.Second})
	}
	theme, err := themes.Named("dark", themes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	snapshot := s.Snapshot()
	v := New(views.RankRoute{Job: job.ID, Rank: 1})
	f := views.Frame{Snapshot: snapshot, Width: width, Height: 80, Theme: theme, Ages: &draw.Ages{Now: nine}}
	return ansi.Strip(strings.Join(v.Render(f), "\n"))
}

func TestTheRanksGPUsAreATable(t *testing.T) {
	got := picture(t, func(gpu int, v *train.Values) {
		v.Set(train.GPUUtilization, float64(90+gpu))
		v.Set(train.GPUMemoryUsed, 71680)
		v.Set(train.GPUMemoryTotal, 81920)
		v.Set(train.GPUPower, 512)
		v.Set(train.GPUPowerLimit, 700)
		if gpu == 1 {
			v.Set(train.GPUThrottle, 64)
			v.Set(train.GPUXid, 79)
		}
	})
	for _, want := range []string{
		"GPUs 3", "3/4", "DCGM exporter, 9s ago", "90 %", "92 %", "70.0/80.0 GiB", "512 W of 700", "hw_thermal", "79",
		"CPU 11.5 cores", "memory 200 GiB", "40 % of the time",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	golden.RequireEqual(t, got+"\n")
	for _, not := range []string{"TENSOR", "CLOCK", "TEMP"} { // no source reports these, so there are no such columns
		if strings.Contains(got, not) {
			t.Errorf("%q is in\n%s", not, got)
		}
	}
}

func TestARankThatNobodyMeasuredHasNoTable(t *testing.T) {
	if got := picture(t, nil); strings.Contains(got, "LAST HOUR") || strings.Contains(got, "throttled") {
		t.Errorf("\n%s", got)
	}
}

// A table of GPUs that is wider than the screen is not broken in the middle of its rows.
func TestTheTableOfGPUsFitsTheScreen(t *testing.T) {
	for _, width := range []int{120, 80, 60, 40} {
		got := pictureOf(t, width, func(gpu int, v *train.Values) {
			v.Set(train.GPUUtilization, float64(90+gpu))
			v.Set(train.GPUMemoryUsed, 71680)
			v.Set(train.GPUMemoryTotal, 81920)
			v.Set(train.GPUTemperature, 61)
			v.Set(train.GPUPower, 512)
			v.Set(train.GPUPowerLimit, 700)
			v.Set(train.GPUThrottle, 64)
		})
		rows := len(gpuRow.FindAllString(got, -1))
		if rows != 3 || width < 100 && !strings.Contains(got, "a wider terminal shows") {
			t.Errorf("%d columns, %d rows:\n%s", width, rows, got)
		}
	}
}

var gpuRow = regexp.MustCompile(`(?m)^ +[012] .*9[012] %`)
