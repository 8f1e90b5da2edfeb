package tools

import (
	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// keepRow adds a reading, or replaces an earlier row of the same GPU.
func keepRow(a *readings.Answer, r train.GPUReading) {
	for i := range a.Readings {
		if a.Readings[i].GPU.Index == r.GPU.Index && a.Readings[i].GPU.MIG == r.GPU.MIG {
			a.Readings[i] = r
			return
		}
	}
	if len(a.Readings) < maxRows {
		a.Readings = append(a.Readings, r)
	}
}

// nameRow sets the model of the GPU of a row.
func nameRow(a *readings.Answer, index, model string) {
	for i := range a.Readings {
		if a.Readings[i].GPU.Index == index {
			a.Readings[i].GPU.Model = model
		}
	}
}

// maxRows bounds the GPUs of one machine.
const maxRows = 1024

// keepOpen adds the GPU whose rows ended, if there is one.
func keepOpen(a *readings.Answer, open *train.GPUReading) {
	if open != nil {
		keepRow(a, *open)
	}
}
