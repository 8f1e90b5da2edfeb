package signals

import (
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

var (
	throttledFor = Limit{
		Name: "throttledFor", Preset: 5, Least: 0, Most: 240, Unit: "min",
		Meaning: "how long a reason for a lower clock has to be there",
		Source:  "netdata's dcgm.conf: hardware slowdown and power brake for 5 minutes",
	}
	throttledShare = Limit{
		Name: "throttledShare", Preset: 5, Least: 0, Most: 100, Unit: "% of the time",
		Meaning: "how much of its time a GPU may run slower for heat",
		Source:  "netdata's dcgm.conf alerts above 0 over 5 minutes; below 5 % nobody sees it in a step's time (by feel)",
	}
	powerCapClock = Limit{
		Name: "powerCapClock", Preset: 60, Least: 1, Most: 100, Unit: "% of the highest clock",
		Meaning: "clock below which a power cap is no longer that of full work",
		Source:  "found by feel: an H100 at its 700 W runs matrix products at 70 to 85 % of 1980 MHz",
	}
)

// A clock that is lower than the work needs. A power cap alone is normal at
// full load: it counts only when the clock is far down.
func throttledRule() rule {
	return rule{
		kind: "throttled", word: "throttled", cause: "thermal-throttle",
		meaning: "heat, the power supply or a power cap hold the clock down",
		limits:  []Limit{throttledFor, throttledShare, powerCapClock},
		gpu:     throttled,
	}
}

func throttled(g *gpu) (Signal, bool) {
	if reasons := g.badReasons(); len(reasons) > 0 {
		since, enough := g.lasts("throttled", time.Time{}, g.limits.minutes(&throttledFor))
		s := g.throttledSignal(strings.Join(reasons, ", "), since)
		if !heat(reasons) {
			s.Cause = "power-cap"
		}
		return s, enough
	}
	if share, known := g.heatShare(); known && 100*share >= g.limits.of(&throttledShare) {
		since, _ := g.lasts("throttled for heat", time.Time{}, 0)
		return g.throttledSignal(fmt.Sprintf("heat, %s of the time", percent(share)), since), true
	}
	if clock, capped := g.powerCapped(); capped {
		since, enough := g.lasts("power cap", time.Time{}, g.limits.minutes(&throttledFor))
		s := g.throttledSignal(fmt.Sprintf("a power cap, at %s of its highest clock", percent(clock)), since)
		s.Cause = "power-cap"
		return s, enough
	}
	return Signal{}, false
}

func (g *gpu) throttledSignal(why string, since time.Time) Signal {
	clock := ""
	if mhz, known := g.Values.Get(train.GPUSMClock); known {
		clock = fmt.Sprintf(" (%s MHz)", whole(mhz))
	}
	return Signal{
		Severity: train.SeverityWarning, Since: since,
		Quantities: []train.Quantity{train.GPUSMClock, train.GPUTemperature, train.GPUPower},
		Text:       fmt.Sprintf("throttled by %s%s%s", why, clock, lasting(g.now, since)),
	}
}

// badReasons returns the names of unusual reasons for a lower clock: those set
// now, and those counted in a window of time.
func (g *gpu) badReasons() []string {
	var names []string
	value, _ := g.Values.Get(train.GPUThrottle)
	bits := uint64(max(0, value))
	for _, reason := range train.ThrottleReasons {
		if !reason.Bad {
			continue
		}
		if bits&reason.Bit != 0 || g.counted("clock", reason.Name) > 0 {
			names = append(names, reason.Name)
		}
	}
	return names
}

// heat reports whether one of the reasons may be heat.
func heat(reasons []string) bool {
	for _, name := range reasons {
		if name != "hw_power_brake" {
			return true
		}
	}
	return false
}

// counted returns how often something happened in the window of an event
// counter.
func (g *gpu) counted(kind, name string) float64 {
	for i := range g.Events {
		if e := &g.Events[i]; e.Kind == kind && e.Name == name {
			return e.Count
		}
	}
	return 0
}

// heatShare returns the share of the last minutes in which heat lowered the
// clock.
func (g *gpu) heatShare() (share float64, known bool) {
	seconds, known := g.Values.Get(train.GPUHeatThrottled)
	if !known || g.once() {
		return 0, false
	}
	return g.memory.rate("heat", g.id, g.At, seconds, g.limits.minutes(&throttledFor)/2)
}

// powerCapped reports whether the power of a GPU at work is capped so far down
// that its clock is low; clock is the share of its highest one.
func (g *gpu) powerCapped() (clock float64, capped bool) {
	bits, known := g.Values.Get(train.GPUThrottle)
	now, hasClock := g.Values.Get(train.GPUSMClock)
	most, limited := g.Values.Get(train.GPUMaxSMClock)
	use, _, busy := g.use()
	if !known || !hasClock || !limited || most <= 0 || !busy || use < 0.5 || uint64(max(0, bits))&4 == 0 {
		return 0, false
	}
	return now / most, 100*now/most < g.limits.of(&powerCapClock)
}
