package gpus

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

var instant = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

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
