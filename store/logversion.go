package store

import "github.com/traintop/traintop/train"

// JobLogsVersion changes with anything in the logs of a job; 0 while it has
// none. A reader of many jobs passes over those whose logs stand still.
func (s *Snapshot) JobLogsVersion(id train.JobID) uint64 {
	version, _ := s.logs.versions.Get(id)
	return version.any
}
