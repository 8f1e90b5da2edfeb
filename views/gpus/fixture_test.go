package gpus

import (
	"fmt"
	"testing"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/testdata/demo"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

var instant = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// frame is what the shell gives a screen.
func frame(t testing.TB, s *store.Snapshot, width, height int, o themes.Options) views.Frame {
	t.Helper()
	theme, err := themes.Named("dark", o)
	if err != nil {
		t.Fatal(err)
	}
	return views.Frame{
		Snapshot: s, Width: width, Height: height, Theme: theme, Context: "test",
		Ages: &draw.Ages{Now: s.Now}, Diagnosis: diagnose.Run(s, diagnose.Options{}, nil),
	}
}

// demoCluster reads the demo as the program does.
func demoCluster(t testing.TB) *store.Snapshot {
	t.Helper()
	s := store.New(nil)
	if err := dump.New([]string{"."}, dump.Options{FS: demo.Files}).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return s.Snapshot()
}

// reading is one busy H100.
func reading(node, index, pod string, use float64) train.GPUReading {
	r := train.GPUReading{
		GPU: train.GPU{
			Node: node, Index: index, UUID: fmt.Sprintf("GPU-%x-%s", node, index), Model: "NVIDIA H100 80GB HBM3",
			Namespace: "ml", Pod: pod, Container: "main",
		},
		Source: train.FromDCGM, At: instant,
	}
	if pod == "" {
		r.GPU.Namespace, r.GPU.Container = "", ""
	}
	for q, v := range map[train.Quantity]float64{
		train.GPUUtilization: use, train.GPUTemperature: 61, train.GPUPower: 630, train.GPUPowerLimit: 700,
		train.GPUMemoryUsed: 70_000, train.GPUMemoryTotal: 81_559, train.GPUSMClock: 1920, train.GPUTensorActive: 0.45,
	} {
		r.Values.Set(q, v)
	}
	return r
}

// cluster has so many nodes of eight GPUs, all of one pod each.
func cluster(nodes int) *store.Store {
	s := store.New(func() time.Time { return instant })
	for n := range nodes {
		s.Apply(measuredOn(n, 97))
	}
	return s
}

func measuredOn(n int, use float64) store.Measured {
	name := fmt.Sprintf("gpu-%04d", n)
	var all []train.GPUReading
	for i := range 8 {
		all = append(all, reading(name, fmt.Sprint(i), fmt.Sprintf("w-%d", n), use))
	}
	return store.Measured{Source: "exporter/" + name, Node: name, Readings: all, Every: 15 * time.Second}
}
