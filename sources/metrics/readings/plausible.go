package readings

import "github.com/traintop/traintop/train"

// Endless is more than any quantity of a GPU: no counter of 64 bits gets there.
const Endless = 1 << 64

// limits are the greatest plausible numbers of a quantity; the least is 0, and -60
// for temperatures. A share may exceed 1 by a rounding error.
var limits = [train.Quantities]float64{
	train.GPUUtilization: 100.5, train.GPUMemoryCopy: 100.5,
	train.GPUMemoryUsed: 64 << 20, train.GPUMemoryTotal: 64 << 20, // 64 TiB
	train.GPUTemperature: 250, train.GPUMemoryTemp: 250,
	train.GPUPower: 50_000, train.GPUPowerLimit: 50_000,
	train.GPUSMClock: 20_000, train.GPUMaxSMClock: 20_000, train.GPUMemoryClock: 40_000,
	train.GPUGraphics: 1.05, train.GPUSMActive: 1.05, train.GPUSMOccupancy: 1.05, train.GPUTensorActive: 1.05, train.GPUDRAMActive: 1.05,
	train.GPUXid: 100_000,
}

// Plausible reports whether a GPU can have such a number.
func Plausible(q train.Quantity, value float64) bool {
	if q == train.GPUTemperature || q == train.GPUMemoryTemp {
		return value >= -60 && value <= limits[q]
	}
	return value >= 0 && (limits[q] == 0 && value < Endless || value <= limits[q])
}
