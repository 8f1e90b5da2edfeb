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

// joinTiles returns what the parts of one device have together: what they use is averaged,
// the hottest one is the temperature, and a sum is known if it is of all parts.
func joinTiles(tiles []train.Values) train.Values {
	if len(tiles) == 1 {
		return tiles[0]
	}
	var joined train.Values
	for q := train.Quantity(0); q < train.Quantities; q++ {
		sum, most, known := 0.0, 0.0, 0
		for i := range tiles {
			if number, is := tiles[i].Get(q); is {
				if known++; known == 1 || number > most {
					most = number
				}
				sum += number
			}
		}
		switch q {
		case train.GPUUtilization, train.GPUMemoryCopy, train.GPUSMClock, train.GPUMemoryClock:
			if known > 0 {
				joined.Set(q, sum/float64(known))
			}
		case train.GPUMemoryUsed, train.GPUMemoryTotal, train.GPUPower, train.GPUPowerLimit:
			if known == len(tiles) {
				joined.Set(q, sum)
			}
		case train.GPUTemperature, train.GPUMemoryTemp:
			if known > 0 {
				joined.Set(q, most)
			}
		}
	}
	return joined
}
