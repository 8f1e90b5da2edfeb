package logfindings

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
)

// OfEarlierRun reports whether a file of a pod's log ended before the pod was
// created: it was kept from an earlier run, whose pod had the same name, and
// shows nothing about this one.
func OfEarlierRun(s *store.Snapshot, log *store.Log) bool {
	return EndedBeforePod(s, log) > 0
}

// farthestZone is how far a time without a zone may be from the one that it is
// read as: programs print that of their machine.
const farthestZone = 15 * time.Hour

// EndedBeforePod returns how long before its pod was created a file of a log
// ended, 0 where it is not certain that it did.
func EndedBeforePod(s *store.Snapshot, log *store.Log) time.Duration {
	if before := timeBeforePod(log, podNamedIn(s, log)); before > farthestZone {
		return before
	}
	return 0
}

// OfEarlierPod reports whether a file of a log is of the pod before the one that
// has its name now: its path has the UID of another pod, and it ended before this
// one was created.
func OfEarlierPod(s *store.Snapshot, log *store.Log) bool {
	pod := podNamedIn(s, log)
	return pod != nil && log.ID.UID != "" && pod.UID != "" && log.ID.UID != string(pod.UID) && timeBeforePod(log, pod) > 0
}

// podNamedIn returns the pod that has the name of a log's pod, nil where the log is no
// file or there is none.
func podNamedIn(s *store.Snapshot, log *store.Log) *corev1.Pod {
	if log.ID.File == "" || log.ID.Pod == "" {
		return nil
	}
	return s.Pod(log.ID.Namespace, log.ID.Pod)
}

// timeBeforePod returns how long before a pod was created the last line with a time
// was printed, 0 where that is unknown or was later.
func timeBeforePod(log *store.Log, pod *corev1.Pod) time.Duration {
	if pod == nil || pod.CreationTimestamp.IsZero() {
		return 0
	}
	const farthest = 64 // a traceback's lines may have no time
	n := log.Lines.Len()
	for i := n - 1; i >= max(0, n-farthest); i-- {
		if at := log.Lines.Time(i); !at.IsZero() {
			return max(0, pod.CreationTimestamp.Sub(at))
		}
	}
	return 0
}
