package dump

import "time"

// instantFields are fields whose times were in the past when the object was
// printed (Kubernetes 1.36 core API and the job operators'). Others, such as
// requeueAt or a certificate's notAfter, may be in the future.
var instantFields = map[string]bool{
	"creationTimestamp": true, "time": true, // managedFields[].time
	"lastTransitionTime": true, "lastUpdateTime": true, "lastProbeTime": true, "lastHeartbeatTime": true,
	"startTime": true, "startedAt": true, "finishedAt": true, "completionTime": true, "endTime": true,
	"firstTimestamp": true, "lastTimestamp": true, "eventTime": true, "lastObservedTime": true,
	"deprecatedFirstTimestamp": true, "deprecatedLastTimestamp": true,
	"lastReconcileTime": true, "lastUpdatedTime": true, "lastScheduleTime": true, "lastSuccessfulTime": true,
	"renewTime": true, "acquireTime": true,
}

// newest returns the latest time in an object, zero for none.
func newest(value any) (latest time.Time) {
	switch value := value.(type) {
	case map[string]any:
		for field, inner := range value {
			at := time.Time{}
			if text, isText := inner.(string); !isText {
				at = newest(inner)
			} else if instantFields[field] {
				at, _ = time.Parse(time.RFC3339, text) // zero if it is not a time
			}
			if at.After(latest) {
				latest = at
			}
		}
	case []any:
		for _, inner := range value {
			if at := newest(inner); at.After(latest) {
				latest = at
			}
		}
	}
	return latest
}
