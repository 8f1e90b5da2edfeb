package alerts

import (
	"fmt"
	"strings"
	"time"
)

// QuietHours are hours of each day, or of some days of the week, in which
// nothing is sent. The zero value has none.
type QuietHours struct {
	spans    []quietSpan
	location *time.Location
	text     string // as it was configured
}

// String is as the hours are configured: "22:00-07:00 Europe/Berlin".
func (q QuietHours) String() string { return q.text }

// quietSpan lasts from a minute of a day to another, on the next day where that
// is not later.
type quietSpan struct {
	from, until int // minutes since midnight
	days        [7]bool
}

// weekdays by the first letters that ParseQuiet takes.
var weekdays = map[string]time.Weekday{"sun": time.Sunday, "mon": time.Monday, "tue": time.Tuesday, "wed": time.Wednesday, "thu": time.Thursday, "fri": time.Friday, "sat": time.Saturday}

// ParseQuiet reads hours as "22:00-07:00" or "sat,sun 00:00-24:00", in a time
// zone by its IANA name, "" for that of this machine.
func ParseQuiet(texts []string, zone string) (QuietHours, error) {
	location := time.Local
	if zone != "" {
		named, err := time.LoadLocation(zone)
		if err != nil {
			return QuietHours{}, fmt.Errorf("%q is no time zone such as Europe/Berlin", zone)
		}
		location = named
	}
	q := QuietHours{location: location, text: strings.TrimSpace(strings.Join(texts, ", ") + " " + zone)}
	for _, text := range texts {
		span, err := parseSpan(text)
		if err != nil {
			return QuietHours{}, err
		}
		q.spans = append(q.spans, span)
	}
	return q, nil
}

func parseSpan(text string) (span quietSpan, err error) {
	wrong := fmt.Errorf("%q is no span of hours such as \"22:00-07:00\" or \"sat,sun 00:00-24:00\"", text)
	days, hours, both := strings.Cut(strings.TrimSpace(text), " ")
	if !both {
		days, hours = "", days
	}
	for _, name := range strings.Split(days, ",") {
		if days == "" {
			span.days = [7]bool{true, true, true, true, true, true, true}
			break
		}
		day, known := weekdays[strings.ToLower(name)]
		if !known {
			return span, wrong
		}
		span.days[day] = true
	}
	from, until, both := strings.Cut(strings.TrimSpace(hours), "-")
	if !both {
		return span, wrong
	}
	if span.from, err = minuteOf(from); err != nil {
		return span, wrong
	}
	if span.until, err = minuteOf(until); err != nil || span.until == span.from {
		return span, wrong
	}
	return span, nil
}

// minuteOf reads an hour of a day, 24:00 as its end.
func minuteOf(text string) (int, error) {
	if strings.TrimSpace(text) == "24:00" {
		return 24 * 60, nil
	}
	t, err := time.Parse("15:04", strings.TrimSpace(text))
	return t.Hour()*60 + t.Minute(), err
}

// Holds reports whether an instant lies in the quiet hours.
func (q QuietHours) Holds(at time.Time) bool {
	if len(q.spans) == 0 {
		return false
	}
	at = at.In(q.location)
	minute, day := at.Hour()*60+at.Minute(), at.Weekday()
	yesterday := (day + 6) % 7
	for _, s := range q.spans {
		switch {
		case s.from < s.until:
			if s.days[day] && minute >= s.from && minute < s.until {
				return true
			}
		case s.days[day] && minute >= s.from, s.days[yesterday] && minute < s.until:
			return true
		}
	}
	return false
}
