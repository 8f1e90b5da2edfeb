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
	at, err := readInstant(text, to.In(zone))
	if err != nil {
		return time.Time{}, err
	}
	// people name instants to the second, and mean all of that second
	if at.Before(from.Add(-time.Second)) || at.After(to.Add(time.Second)) {
		return time.Time{}, fmt.Errorf("%s is %s, and the recording lasts from %s to %s",
			text, at.In(zone).Format(time.DateTime), from.In(zone).Format(time.DateTime), to.In(zone).Format(time.DateTime+" MST"))
	}
	if at.Before(from) {
		return from, nil // a start that was printed to the second
	}
	return at, nil
}

func readInstant(text string, to time.Time) (time.Time, error) {
	if ago, is := strings.CutPrefix(text, "-"); is {
		if before, err := span("at", ago); err == nil {
			return to.Add(-before), nil
		}
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	for _, layout := range []string{time.DateTime, "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if at, err := time.ParseInLocation(layout, text, to.Location()); err == nil {
			return at, nil
		}
	}
	for _, layout := range []string{time.TimeOnly, "15:04"} {
		if at, err := time.ParseInLocation(layout, text, to.Location()); err == nil {
			day := time.Date(to.Year(), to.Month(), to.Day(), at.Hour(), at.Minute(), at.Second(), 0, to.Location())
			if day.After(to) {
				day = day.AddDate(0, 0, -1)
			}
			return day, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time: give 14:07, 2026-11-20 14:07, 2026-11-20T14:07:00Z, or -5m for five minutes before the end", text)
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
