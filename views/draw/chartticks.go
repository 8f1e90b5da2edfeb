package draw

import (
	"math"
	"strconv"
	"time"

	"github.com/traintop/traintop/termtext"
)

// Tick is a position on an axis and its label.
type Tick struct {
	At   float64
	Text string
}

// Ticks are at most most round positions between two values: multiples of 1, 2
// or 5 times a power of ten; with log, decades, and 2 and 5 within them where
// there is room.
func Ticks(low, high float64, most int, log bool) []Tick {
	if !finite(low) || !finite(high) || high < low || most < 1 {
		return nil
	}
	if log {
		if ticks := logTicks(low, high, most); len(ticks) > 1 {
			return ticks
		}
	}
	step := roundStep(high/float64(most)-low/float64(most), 1)
	for ; step > 0 && finite(step); step = roundStep(step, 1.01) {
		if math.Floor(high/step)-math.Ceil(low/step) < float64(most) {
			return linearTicks(low, high, step)
		}
	}
	return []Tick{{low, Short(low)}}
}

// roundStep is the first of 1, 2, 5, 10, ... that is not below a number times a
// factor.
func roundStep(v, factor float64) float64 {
	v *= factor
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, digit := range []float64{1, 2, 5, 10} {
		if digit*power >= v*(1-1e-9) {
			return digit * power
		}
	}
	return 10 * power
}

func linearTicks(low, high, step float64) []Tick {
	var ticks []Tick
	first := math.Ceil(low/step - 1e-9)
	for i := 0.0; (first+i)*step <= high+step*1e-9; i++ {
		v := (first + i) * step
		if !finite(v) || len(ticks) > 0 && v <= ticks[len(ticks)-1].At {
			break // beyond all numbers, or the step is below the precision of numbers
		}
		ticks = append(ticks, Tick{v, tickText(v, step)})
	}
	return ticks
}

// tickText prints a multiple of a step with as many digits as the step needs.
func tickText(v, step float64) string {
	a := math.Abs(v)
	switch {
	case a < step/2:
		return "0"
	case a < 1e-3 || a >= 1e15:
		return exponent(strconv.FormatFloat(v, 'e', digitsOf(v/step), 64))
	case a >= 10_000:
		scaled, unit := thousands(v)
		return strconv.FormatFloat(scaled, 'f', decimals(step*scaled/v), 64) + unit
	}
	return strconv.FormatFloat(v, 'f', decimals(step), 64)
}

// decimals is how many digits after the point a step of 1, 2 or 5 times a
// power of ten needs.
func decimals(step float64) int {
	return min(12, max(0, -int(math.Floor(math.Log10(step)+1e-9))))
}

func digitsOf(ratio float64) int {
	return min(6, max(0, int(math.Floor(math.Log10(math.Abs(ratio))+1e-9))))
}

// logTicks are the decades, thinned to most, or with 2 and 5 where they fit.
func logTicks(low, high float64, most int) []Tick {
	if low <= 0 || high <= 0 {
		return nil
	}
	first, last := int(math.Ceil(math.Log10(low)-1e-9)), int(math.Floor(math.Log10(high)+1e-9))
	digits := []float64{1}
	if 3*(last-first+1) <= most {
		digits, first = []float64{1, 2, 5}, first-1
	}
	every := max(1, (last-first+most)/most)
	var ticks []Tick
	for power := first; power <= last; power++ {
		if len(digits) == 1 && power%every != 0 {
			continue
		}
		for _, digit := range digits {
			if v := digit * math.Pow(10, float64(power)); finite(v) && v >= low*(1-1e-9) && v <= high*(1+1e-9) {
				ticks = append(ticks, Tick{v, Short(v)})
			}
		}
	}
	return ticks
}

// roundDurations are the usual lengths of time on clocks.
var roundDurations = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
	24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour, 14 * 24 * time.Hour, 28 * 24 * time.Hour, 91 * 24 * time.Hour, 365 * 24 * time.Hour,
}

// roundDuration is the first of them that most fit into a span of seconds.
func roundDuration(span float64, most int) time.Duration {
	for _, d := range roundDurations {
		if span/d.Seconds() <= float64(most) {
			return d
		}
	}
	return 0
}

// longestAxis is how many seconds an axis of time may span: 200 years.
const longestAxis = 200 * 365 * 24 * 3600

// DurationTicks are round lengths of time between two, in seconds.
func DurationTicks(low, high float64, most int) []Tick {
	span := high - low
	if !finite(span) || span <= 0 || span > longestAxis || most < 1 || math.Abs(low) > longestAxis {
		return nil
	}
	step := roundDuration(span, most)
	if step == 0 || span < 1 {
		return Ticks(low, high, most, false)
	}
	var ticks []Tick
	for i := math.Ceil(low / step.Seconds()); i*step.Seconds() <= high; i++ {
		d := time.Duration(i) * step
		text := termtext.Duration(d)
		if d < 0 {
			text = "-" + termtext.Duration(-d)
		}
		ticks = append(ticks, Tick{i * step.Seconds(), text})
	}
	return ticks
}

// TimeTicks are round times of the day between two instants, in Unix seconds,
// as clocks in a time zone show them.
func TimeTicks(low, high float64, most int, in *time.Location) []Tick {
	span := high - low
	if !finite(span) || span <= 0 || span > longestAxis || most < 1 || math.Abs(low) > longestAxis {
		return nil
	}
	step := roundDuration(span, most)
	if step == 0 {
		return nil
	}
	layout := "15:04"
	switch {
	case step < time.Minute:
		layout = "15:04:05"
	case step >= 24*time.Hour:
		layout = "Jan 2"
	case span > 24*3600:
		layout = "Jan 2 15:04"
	}
	_, offset := time.Unix(int64(low), 0).In(in).Zone()
	var ticks []Tick
	for i := math.Ceil((low + float64(offset)) / step.Seconds()); ; i++ {
		at := i*step.Seconds() - float64(offset)
		if at > high {
			return ticks
		}
		ticks = append(ticks, Tick{at, time.Unix(int64(at), 0).In(in).Format(layout)})
	}
}

// Spaced leaves out ticks whose labels would come closer than gap cells to one
// before; cell returns the cell of a tick and width the number of cells. at is
// the cell in which each label begins.
func Spaced(ticks []Tick, cell func(float64) int, width, gap int) (kept []Tick, at []int) {
	free := 0
	for _, t := range ticks {
		w := Width(t.Text)
		begin := min(cell(t.At)-w/2, width-w)
		begin = max(0, begin)
		if begin < free || begin+w > width {
			continue
		}
		kept, at = append(kept, t), append(at, begin)
		free = begin + w + gap
	}
	return kept, at
}
