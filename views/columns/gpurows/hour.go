package gpurows

import (
	"math"
	"strings"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/draw"
)

// hourCells is how many cells the last hour of a GPU has in a table.
const hourCells = 10

var nan = float32(math.NaN())

// hour is the use over the last hour.
func hour(r *Row, ink draw.Ink) draw.Cell {
	if r.Missing {
		return draw.Cell{}
	}
	var buckets [hourCells]float32
	Hour(r.in, r.GPUState, ink.Ages.Now.Add(-time.Hour), buckets[:])
	return draw.Cell{Text: Spark(ink.Theme, buckets[:]), Role: themes.Dim}
}

// lastHour is the use over the last hour as bars, where a row has the room.
func lastHour(r *Row, ink draw.Ink) draw.Cell {
	if !r.Measured(ink.Ages.Now) || r.in == nil {
		return columns.Unmeasured(ink)
	}
	var past [lastHourCells]float32
	from := r.At.Truncate(lastHourStep).Add(lastHourStep - store.GPUHistory)
	r.in.GPUBuckets(r.GPU.ID(), train.GPUUtilization, from, lastHourStep, past[:])
	if !anyKnown(past[:]) {
		return draw.Cell{}
	}
	return draw.Cell{Text: draw.SparkBetween(ink.Theme, past[:], 0, 100), Role: themes.Dim}
}

// The last hour as bars: the number of cells, and the length of each.
const (
	lastHourCells = 20
	lastHourStep  = store.GPUHistory / lastHourCells
)

// Hour fills out with the use of a GPU in equal parts of the hour from a time
// on, from 0 to 1; NaN without data.
func Hour(s *store.Snapshot, state *train.GPUState, from time.Time, out []float32) {
	for i := range out {
		out[i] = nan
	}
	if s == nil || !named(&state.GPU) {
		return
	}
	id, step := state.GPU.ID(), time.Hour/time.Duration(len(out))
	s.GPUBuckets(id, train.GPUUtilization, from, step, out)
	if anyKnown(out) {
		for i := range out {
			out[i] /= 100
		}
		return
	}
	s.GPUBuckets(id, train.GPUGraphics, from, step, out)
}

// Spark draws shares from 0 to 1 on a fixed scale; "" when none is known.
func Spark(t *themes.Theme, shares []float32) string {
	if !anyKnown(shares) {
		return ""
	}
	var b strings.Builder
	for _, v := range shares {
		if v != v {
			b.WriteByte(' ')
			continue
		}
		glyph, _ := draw.Heat(t, float64(v), true)
		b.WriteString(glyph)
	}
	return b.String()
}

func anyKnown(values []float32) bool {
	for _, v := range values {
		if v == v {
			return true
		}
	}
	return false
}
