package draw

import (
	"strconv"
	"time"
)

// Ages prints how long ago things were, measured from one instant, and records
// how soon an age must be printed again.
type Ages struct {
	Now time.Time
	// Turn is the shortest time after which a printed age must be printed
	// again, 0 while a minute is soon enough.
	Turn time.Duration
}

const (
	// everySecondBelow is the age up to which every second is printed, and nothing but
	// seconds: people watch new things.
	everySecondBelow = 2 * time.Minute
	// secondsBelow is the age from which Duration shows no seconds any more.
	secondsBelow = 10 * time.Minute
	// slowTurn is how often ages between the two are printed again: each time
	// redraws the screen, and nobody counts the seconds any more.
	slowTurn = 10 * time.Second
)

// Soon requests another print after some time, 0 for none.
func (a *Ages) Soon(turn time.Duration) {
	if turn > 0 && (a.Turn == 0 || turn < a.Turn) {
		a.Turn = turn
	}
}

// Of is an age that keeps growing.
func (a *Ages) Of(d time.Duration) string {
	switch {
	case d < everySecondBelow:
		a.Soon(time.Second)
	case d < secondsBelow:
		a.Soon(slowTurn)
	}
	return Duration(d)
}

// Since is the age of a time, "" when the time is not known.
func (a *Ages) Since(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return a.Of(a.Now.Sub(t))
}

// Between is the time from one instant to another, or to now when the end is
// not known; "" when the beginning is not.
func (a *Ages) Between(from, to time.Time) string {
	if from.IsZero() {
		return ""
	}
	if to.IsZero() {
		return a.Since(from)
	}
	return Duration(to.Sub(from))
}

// Duration prints a length of time as kubectl does (duration.HumanDuration of
// k8s.io/apimachinery): two units at most, seconds only below ten minutes.
// Future times, which clocks out of step produce, print as 0s.
func Duration(d time.Duration) string {
	if d < 0 {
		d = 0
	}
	seconds, minutes, hours := int(d.Seconds()), int(d.Minutes()), int(d.Hours())
	days, years := hours/24, hours/24/365
	switch {
	case d < everySecondBelow:
		return strconv.Itoa(seconds) + "s"
	case d < secondsBelow:
		return two(minutes, "m", seconds%60, "s")
	case minutes < 180:
		return strconv.Itoa(minutes) + "m"
	case hours < 8:
		return two(hours, "h", minutes%60, "m")
	case hours < 48:
		return strconv.Itoa(hours) + "h"
	case hours < 192:
		return two(days, "d", hours%24, "h")
	case days < 365*2:
		return strconv.Itoa(days) + "d"
	case years < 8:
		return two(years, "y", days%365, "d")
	}
	return strconv.Itoa(years) + "y"
}

func two(big int, bigUnit string, small int, smallUnit string) string {
	if small == 0 {
		return strconv.Itoa(big) + bigUnit
	}
	return strconv.Itoa(big) + bigUnit + strconv.Itoa(small) + smallUnit
}
