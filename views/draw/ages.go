package draw

import (
	"time"

	"github.com/traintop/traintop/termtext"
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
	// secondsBelow is the age from which no seconds are printed any more (termtext.Duration).
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
	return termtext.Duration(d)
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
	return termtext.Duration(to.Sub(from))
}
