package signals

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Limit is a number that a rule compares with, and its source.
type Limit struct {
	Name string // "idleUse": its key in the configuration
	// Preset is the default; Least and Most bound the configured value.
	Preset, Least, Most float64
	Unit                string // "%", "min", "°C"; "" for a plain number
	Meaning             string
	// Source is where the number comes from: a project, a vendor, or our own
	// estimate.
	Source string
}

// Thresholds are the current limits, by name; the zero value has the defaults.
// They never change.
type Thresholds struct{ changed map[string]float64 }

// With returns thresholds with one limit changed. An unknown name, and a
// number out of its bounds, are errors.
func (t Thresholds) With(name string, value float64) (Thresholds, error) {
	l, known := limitNamed(name)
	if !known {
		return t, fmt.Errorf("there is no limit %q of a signal", name)
	}
	if !(value >= l.Least && value <= l.Most) {
		return t, fmt.Errorf("the limit %s is %v, which is not between %v and %v", name, value, l.Least, l.Most)
	}
	changed := maps.Clone(t.changed)
	if changed == nil {
		changed = map[string]float64{}
	}
	changed[name] = value
	return Thresholds{changed}, nil
}

// Limits returns all limits in the order of the table of signals.
func Limits() []Limit {
	var all []Limit
	for _, r := range table() {
		all = append(all, r.limits...)
	}
	return all
}

func limitNamed(name string) (Limit, bool) {
	all := Limits()
	at := slices.IndexFunc(all, func(l Limit) bool { return l.Name == name })
	if at < 0 {
		return Limit{}, false
	}
	return all[at], true
}

// of returns the current number.
func (t Thresholds) of(l *Limit) float64 {
	if len(t.changed) > 0 {
		if value, is := t.changed[l.Name]; is {
			return value
		}
	}
	return l.Preset
}

// minutes returns a limit that is a duration.
func (t Thresholds) minutes(l *Limit) time.Duration {
	return time.Duration(t.of(l) * float64(time.Minute))
}

func (t Thresholds) equal(other Thresholds) bool { return maps.Equal(t.changed, other.changed) }

// Changed returns the limits that differ from their default, by name.
func (t Thresholds) Changed() map[string]float64 { return maps.Clone(t.changed) }
