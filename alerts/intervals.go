package alerts

import "time"

// How a tracker waits, unless a rule sets others.
const (
	// SettleFor is how long a trouble has to be away before its incident is
	// resolved: a job that crashes again is the same incident.
	SettleFor = 30 * time.Second
	// updatesApart is how far apart notices about changes of one incident are at
	// least, as Alertmanager's group_interval.
	updatesApart = 5 * time.Minute
	// stateHolds is how old a state may be to be continued: after that, what is
	// wrong is old trouble again.
	stateHolds = 24 * time.Hour
	// keepResolved and mostResolved bound what is remembered.
	keepResolved = 7 * 24 * time.Hour
	mostResolved = 500
	// longestSettle is how long a trouble that comes and goes has to be away at
	// most, settleGrows the factor after each time that it came back within
	// flapsWithin.
	longestSettle = time.Hour
	settleGrows   = 4
	flapsWithin   = 6 * time.Hour
)
