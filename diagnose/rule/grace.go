package rule

import "time"

// The graces that several stages use; a grace of one rule is beside it
// (pendingGrace of a pod without a node: diagnose/scheduling/pendinggrace.go).

// StartGrace is how long a pod may fail to start before that is an error: the
// kubelet retries within seconds, and caches of a new node fill meanwhile.
const StartGrace = 30 * time.Second

// GangGrace is how long a gang may wait for its members before that is an error.
const GangGrace = time.Minute
