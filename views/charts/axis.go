package charts

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// axis is the unit of x.
type axis int

const (
	byStep    axis = iota
	byElapsed      // seconds while a pod ran
	byUTC          // Unix seconds
	byLocal
	axisCount
)

func (a axis) String() string {
	switch a {
	case byElapsed:
		return "elapsed"
	case byUTC:
		return "UTC"
	case byLocal:
		return time.Local.String()
	}
	return "step"
}

// zone is the time zone of the axis.
func (a axis) zone() *time.Location {
	if a == byLocal {
		return time.Local
	}
	return time.UTC
}

// ticks returns round positions on the axis.
func (a axis) ticks(low, high float64, most int) []draw.Tick {
	switch a {
	case byElapsed:
		return draw.DurationTicks(low, high, most)
	case byUTC, byLocal:
		return draw.TimeTicks(low, high, most, a.zone())
	}
	return stepTicks(low, high, most)
}

// stepTicks returns ticks at whole numbers, as long as there is room between
// them.
func stepTicks(low, high float64, most int) []draw.Tick {
	var whole []draw.Tick
	ticks := draw.Ticks(low, high, most, false)
	for _, t := range ticks {
		if t.At != math.Trunc(t.At) {
			continue
		}
		if math.Abs(t.At) < 10_000 {
			t.Text = draw.Step(t.At)
		}
		whole = append(whole, t)
	}
	if len(whole) < 2 && len(ticks) > 2 && high-low < 2 {
		return ticks // epochs, in parts
	}
	return whole
}

// text formats a position on the axis.
func (a axis) text(x float64) string {
	switch {
	case !finite(x):
		return ""
	case a == byElapsed:
		return termtext.Duration(seconds(x))
	case a == byUTC || a == byLocal:
		return instant(x).In(a.zone()).Format("15:04:05")
	}
	return draw.Step(math.Round(x*1000) / 1000)
}

// position returns a function that maps a row of a job's log to its x position;
// NaN for a row that has none.
func (a axis) position(ran *uptime) func(*series.Row) float64 {
	if a == byStep {
		return func(r *series.Row) float64 { return r.X }
	}
	return func(r *series.Row) float64 {
		switch {
		case r.Time == 0:
			return math.NaN()
		case a == byElapsed:
			return ran.at(float64(r.Time) / 1e9)
		}
		return float64(r.Time) / 1e9
	}
}

// uptime is when a job had running pods. It maps an instant to the seconds that
// the job had been running by then: process time, not wall time.
type uptime struct {
	spans []span
	// begin is used where no pod is known: the first time in the log.
	begin float64
}

// span is from one instant to another, in Unix seconds.
type span struct{ from, to float64 }

// uptimeOf is the union of all attempts of all ranks. Running attempts have no
// end.
func uptimeOf(job *train.Job, begin float64) uptime {
	u := uptime{begin: begin}
	if job == nil {
		return u
	}
	for i := range job.Ranks {
		for _, a := range job.Ranks[i].Attempts {
			if a.Started.IsZero() {
				continue
			}
			s := span{float64(a.Started.UnixNano()) / 1e9, math.Inf(1)}
			if !a.Finished.IsZero() {
				s.to = float64(a.Finished.UnixNano()) / 1e9
			}
			u.spans = append(u.spans, s)
		}
	}
	slices.SortFunc(u.spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	u.spans = merged(u.spans)
	return u
}

func merged(spans []span) []span {
	var out []span
	for _, s := range spans {
		if last := len(out) - 1; last >= 0 && s.from <= out[last].to {
			out[last].to = max(out[last].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

// at returns how many seconds the job had been running at an instant. Lines
// printed before the first pod is known to have run get negative seconds.
func (u *uptime) at(instant float64) float64 {
	if len(u.spans) == 0 {
		return instant - u.begin
	}
	sum := min(0, instant-u.spans[0].from)
	for _, s := range u.spans {
		if instant <= s.from {
			break
		}
		sum += min(instant, s.to) - s.from
	}
	return sum
}

func (u *uptime) same(other *uptime) bool {
	return u.begin == other.begin && slices.Equal(u.spans, other.spans)
}

func seconds(s float64) time.Duration {
	return time.Duration(min(max(s, 0), math.MaxInt64/2e9) * 1e9)
}

func instant(unix float64) time.Time {
	whole := math.Floor(min(max(unix, -1e11), 1e11))
	return time.Unix(int64(whole), int64((min(max(unix, -1e11), 1e11)-whole)*1e9))
}
