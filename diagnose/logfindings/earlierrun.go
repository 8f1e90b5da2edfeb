package logfindings

import (
	"time"

	"github.com/traintop/traintop/store"
)

// OfEarlierRun reports whether a file of a pod's log ended before the pod was
// created: it was kept from an earlier run, whose pod had the same name, and
// says nothing of this one.
func OfEarlierRun(s *store.Snapshot, log *store.Log) bool {
	return EndedBeforePod(s, log) > 0
}

// farthestZone is how far a time without a zone may be from the one that it is
// read as: programs print that of their machine.
const farthestZone = 15 * time.Hour

// EndedBeforePod returns how long before its pod was created a file of a log
// ended, 0 where it is not certain that it did.
func EndedBeforePod(s *store.Snapshot, log *store.Log) time.Duration {
	if log.ID.File == "" || log.ID.Pod == "" {
		return 0
	}
	pod := s.Pod(log.ID.Namespace, log.ID.Pod)
	if pod == nil || pod.CreationTimestamp.IsZero() {
		return 0
	}
	const farthest = 64 // a traceback's lines may have no time
	n := log.Lines.Len()
	for i := n - 1; i >= max(0, n-farthest); i-- {
		if at := log.Lines.Time(i); !at.IsZero() {
			if before := pod.CreationTimestamp.Sub(at); before > farthestZone {
				return before
			}
			return 0
		}
	}
	return 0
}
