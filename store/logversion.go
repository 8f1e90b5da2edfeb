package store

import "github.com/traintop/traintop/train"

// JobLogsVersion returns a version that changes with anything in the logs of a
// job; 0 while it has none. A reader of many jobs skips those with an
// unchanged version.
func (s *Snapshot) JobLogsVersion(id train.JobID) uint64 {
	if IsPodSet(id) {
		job := s.Job(id)
		if job == nil {
			return 0
		}
		version, _ := logsVersionOf(s, job)
		return version.any
	}
	version, _ := mapOf(s.logs.versions).Get(id)
	return version.any
}
