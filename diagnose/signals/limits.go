package signals

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Limit is a number that a rule compares with, and who says so.
type Limit struct {
	Name string // "idleUse": its key in the configuration
	// Preset holds where the configuration says nothing; Least and Most bound
	// what it may say.
	Preset, Least, Most float64
	Unit                string // "%", "min", "°C"; "" for a plain number
	Meaning             string
	// Source is who says so: a project, a vendor, or our own feeling.
	Source string
}

// Thresholds are the limits in force, by name; the zero value has the presets.
// They never change.
type Thresholds struct{ changed map[string]float64 }

// With returns thresholds in which one limit is another number. A name that is
// no limit's, and a number out of its bounds, are errors.
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

// Limits are all limits in the order of the table of signals.
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

// of is the number in force.
func (t Thresholds) of(l *Limit) float64 {
	if len(t.changed) > 0 {
		if value, is := t.changed[l.Name]; is {
			return value
		}
	}
	return l.Preset
}

// minutes is a limit that is a length of time.
func (t Thresholds) minutes(l *Limit) time.Duration {
	return time.Duration(t.of(l) * float64(time.Minute))
}

func (t Thresholds) equal(other Thresholds) bool { return maps.Equal(t.changed, other.changed) }

// Changed are the limits that are not as preset, by name.
func (t Thresholds) Changed() map[string]float64 { return maps.Clone(t.changed) }
