package gpurows

import (
	"math"
	"time"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// By is the quantity that colours the cells of a heat map.
type By uint8

// In the order in which a key cycles through them.
const (
	ByUse By = iota
	ByJob
	ByPower
	ByTemperature
	ByMemory
	ByTensor

	bys
)

// Next is the one after it.
func (b By) Next() By { return (b + 1) % bys }

// String is its name.
func (b By) String() string {
	return [...]string{"use", "job", "power", "temperature", "memory", "tensor"}[b%bys]
}

// Temperatures at the ends of the scale: a board that idles in cool air, and
// where the hottest models slow down (slowdown temperatures of nvidia-smi -q
// lie between 87 and 95 °C).
const cool, hot = 30, 90

// Range names the values at the ends of the scale.
func (b By) Range(t *themes.Theme) (low, high string) {
	switch b {
	case ByPower:
		return "0", "its limit"
	case ByTemperature:
		return draw.Celsius(t, cool, true), draw.Celsius(t, hot, true)
	}
	return "0", "100 %"
}

// Limits are what drawing one GPU needs from the others: the greatest power
// seen of each model, for boards whose limit no source reports.
type Limits map[string]float64

// LimitsOf finds them.
func LimitsOf(rows []*Row) Limits {
	limits := Limits{}
	for i := range rows {
		if power, known := rows[i].Values.Get(train.GPUPower); known && power > limits[rows[i].GPU.Model] {
			limits[rows[i].GPU.Model] = power
		}
	}
	return limits
}

// share is the value of a cell, from 0 to 1.
func (r *Row) share(by By, limits Limits, now time.Time) (share float64, known bool) {
	switch by {
	case ByPower:
		power, known := r.Get(train.GPUPower, now)
		limit, hasMost := r.Get(train.GPUPowerLimit, now)
		if !hasMost || limit <= 0 {
			limit = limits[r.GPU.Model]
		}
		return power / limit, known && limit > 0
	case ByTemperature:
		degrees, known := r.Get(train.GPUTemperature, now)
		return (degrees - cool) / (hot - cool), known
	case ByMemory:
		used, known := r.Get(train.GPUMemoryUsed, now)
		total, hasMost := r.Get(train.GPUMemoryTotal, now)
		return used / total, known && hasMost && total > 0
	case ByTensor:
		return r.Get(train.GPUTensorActive, now)
	}
	percent, known := r.Use(now)
	return percent / 100, known
}

// Busy reports whether it works at an instant; known is false when no source
// reports it.
func (r *Row) Busy(now time.Time) (busy, known bool) {
	percent, known := r.Use(now)
	return percent >= r.busyFrom, known
}

// Cell is the row's cell in a heat map. A fault is drawn in the colour of its
// severity, which no number has, and as a word.
func (r *Row) Cell(t *themes.Theme, by By, limits Limits, now time.Time) (glyph string, role themes.Role) {
	if r.Missing {
		return draw.HeatMissing(t)
	}
	share, known := r.share(by, limits, now)
	if by == ByJob {
		share, known = r.share(ByUse, limits, now)
	}
	busy, hasMost := r.Busy(now)
	if r.Vacant && !(hasMost && busy) && !r.Trouble.Alarming() && by != ByTemperature {
		return draw.HeatFree(t)
	}
	if known && r.Freshness(now) == train.Stale {
		return draw.HeatStale(t, share)
	}
	glyph, role = draw.Heat(t, share, known)
	switch {
	case r.Trouble.Alarming():
		if !known || math.IsNaN(share) {
			glyph = t.Glyphs.Broken
		}
		return glyph, r.Trouble.Role()
	case by == ByJob && r.Held():
		return glyph, t.NameRole(r.Name())
	}
	return glyph, role
}
