// Package jobmetrics serves what traintop knows of training jobs to Prometheus.
//
//	snapshot, report ─► Observe ─► page of samples ─► scrapes
//
// Observe makes a page of samples of a snapshot; scrapes read the newest page.
// A scrape takes no snapshot and blocks nobody, however many there are.
//
// All metrics are rows of one table, from which docs/metrics.md is made. A value
// that is unknown is absent, never zero. The number of series is bounded: a
// limited number of jobs, for each a limited number of findings.
package jobmetrics
