package prometheus

import "time"

// How often is asked, and how long is waited.
const (
	// DefaultInterval is how often GPUs are queried: as often as the ServiceMonitor
	// of dcgm-exporter's Helm chart scrapes.
	DefaultInterval = 15 * time.Second
	// usageInterval is how often nodes and pods are queried.
	usageInterval = time.Minute
	// slowRounds: one round in so many runs all queries.
	slowRounds = 4
	// namesInterval is how often the list of metrics is read.
	namesInterval = 10 * time.Minute
	// partialNamesInterval is how often it is read while the server reports that it is
	// incomplete, such as while a store of Thanos is down.
	partialNamesInterval = time.Minute
	// queryTimeout bounds one query, roundTimeout all of a round.
	queryTimeout, roundTimeout = 10 * time.Second, 25 * time.Second
	// firstAnswer is how long callers that wait for all sources wait for this one.
	firstAnswer = 10 * time.Second
	// Back-off after a failure doubles from firstRetry to lastRetry. Failures
	// that only a person can fix are retried every rightsRetry, a search every
	// absentRetry.
	firstRetry, lastRetry = 3 * time.Second, 2 * time.Minute
	rightsRetry           = time.Minute
	absentRetry           = 5 * time.Minute
	// failuresUntilSearch is after how many failures a server that was found is
	// searched for again.
	failuresUntilSearch = 5
)
