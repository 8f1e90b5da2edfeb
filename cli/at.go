package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/recording"
)

// instantOf parses --at for a recording that lasts from one instant to another:
// RFC 3339, a date with a time, a time of day (the last one in the recording),
// or how long before the end. Without it the end is used.
func instantOf(text string, from, to time.Time, zone *time.Location) (time.Time, error) {
	if text == "" {
		return to, nil
	}
	at, unit, err := readInstant(text, to.In(zone))
	if err != nil {
		return time.Time{}, err
	}
	// people name instants to the minute or second, and mean all of it
	if at.Before(from.Add(-unit)) || at.After(to.Add(time.Second)) {
		return time.Time{}, fmt.Errorf("%s is %s, and the recording lasts from %s to %s",
			text, at.In(zone).Format(time.DateTime), from.In(zone).Format(time.DateTime), to.In(zone).Format(time.DateTime+" MST"))
	}
	if at.Before(from) {
		return from, nil
	}
	return at, nil
}

// instantLayouts are how instants are named, and how exactly each names one.
var instantLayouts = []struct {
	layout string
	unit   time.Duration
	ofDay  bool // the layout has no date
}{
	{time.DateTime, time.Second, false},
	{"2006-01-02T15:04:05", time.Second, false},
	{"2006-01-02 15:04", time.Minute, false},
	{"2006-01-02T15:04", time.Minute, false},
	{time.TimeOnly, time.Second, true},
	{"15:04", time.Minute, true},
}

// readInstant is the instant that a text names, and the time that it lasts for.
func readInstant(text string, to time.Time) (time.Time, time.Duration, error) {
	if ago, is := strings.CutPrefix(text, "-"); is {
		if before, err := span("at", ago); err == nil {
			return to.Add(-before), time.Second, nil
		}
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, time.Second, nil
	}
	for _, l := range instantLayouts {
		at, err := time.ParseInLocation(l.layout, text, to.Location())
		if err != nil {
			continue
		}
		if l.ofDay {
			at = lastOfDay(at, to)
		}
		return at, l.unit, nil
	}
	return time.Time{}, 0, fmt.Errorf("%q is no time: give 14:07, 2026-11-20 14:07, 2026-11-20T14:07:00Z, or -5m for five minutes before the end", text)
}

// lastOfDay is the last time up to an instant at which clocks show a time of day.
func lastOfDay(at, to time.Time) time.Time {
	day := time.Date(to.Year(), to.Month(), to.Day(), at.Hour(), at.Minute(), at.Second(), 0, to.Location())
	if day.After(to) {
		return day.AddDate(0, 0, -1)
	}
	return day
}

// errAtWithoutRecording: only a recording has other instants than one.
var errAtWithoutRecording = errors.New("--at chooses an instant of a recording, and none is given: --from FILE names one that 'traintop record' has written")

// instant sets the source of a session to the requested instant.
func (o *opening) instant(name string, f *recording.File) (*recording.Source, error) {
	info := f.Info()
	at, err := instantOf(o.at, info.From, info.To, time.Local)
	if err != nil {
		return nil, &usageError{"traintop", fmt.Errorf("--at %w", err)}
	}
	return &recording.Source{File: f, At: at, Backlog: o.backlog, Name: name}, nil
}
